// Makes a step’s output storable: limited in size, and without characters that the database can’t store.

const LONGEST = 200_000;

export function storable(output: unknown): unknown {
  const clean = JSON.stringify(output ?? null, (_, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\uFFFD') : value,
  );
  return clean.length > LONGEST
    ? { too_long: true, characters: clean.length }
    : (JSON.parse(clean) as unknown);
}
