// Looking for a secret where it must not be: every form that a text may have taken, and every place that is written or shown.
import type { TestApp } from '../support/app.ts';

/** How a text may lie somewhere: as it is, as JSON, in an address, in hex, and in base64 wherever in a triple it began. */
export function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const forms = new Set([
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    bytes.toString('hex'),
  ]);
  for (const before of [0, 1, 2]) {
    // What is around it changes the characters at its ends.
    const whole = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replaceAll('=', '');
    const own = whole.slice(Math.ceil((before * 4) / 3), (before + bytes.length) % 3 === 0 ? undefined : -1);
    forms.add(own);
    forms.add(own.replaceAll('+', '-').replaceAll('/', '_'));
  }
  return [...forms];
}

/** Every row of every table as the database copies it out: text as it is, bytes in hex. */
export async function everyTable({ sql }: TestApp): Promise<Map<string, string>> {
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema') order by 1`;
  const found = new Map<string, string>();
  for (const { name } of tables) {
    const pieces: Buffer[] = [];
    for await (const piece of await sql.unsafe(`copy ${name} to stdout`).readable())
      pieces.push(piece as Buffer);
    found.set(name, Buffer.concat(pieces).toString('utf8'));
  }
  return found;
}

/** Which secret lies where, in which form. */
export function found(secrets: Map<string, string>, places: Map<string, string>): string[] {
  const where: string[] = [];
  for (const [what, secret] of secrets)
    for (const form of formsOf(secret))
      for (const [place, text] of places)
        if (text.includes(form)) where.push(`${what} in ${place} as ${form}`);
  return where;
}
