// The name of a mailing list (RFC 2919), in one spelling. Pure.

const LONGEST = 300;

/** `Weekly <weekly.example.com>` is `weekly.example.com`; null where it names nothing. */
export function listIdIn(said: string): string | null {
  const bare = said
    .slice(said.lastIndexOf('<') + 1)
    .replace('>', '')
    .trim()
    .toLowerCase();
  return bare === '' || bare.length > LONGEST || /\s/.test(bare) ? null : bare;
}
