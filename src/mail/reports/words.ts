// A mail server’s own words about a letter, made storable and showable as data: one line, limited, without control
// and direction characters. They are never part of a sentence of ours.

/** Longer is no reason: servers that say more repeat themselves or quote the letter. */
export const SAID_CHARS = 500;
/** What is looked at: continuation lines and white space shrink. */
const READ_CHARS = 4_000;

/** Whom a letter was for is at the letter, and not in what others may read of an identity or a domain. */
export const withoutAddresses = (text: string): string =>
  text.replace(/[^\s<>()[\]",;:]+/g, (word) => (word.includes('@') ? '@' : word));

/** Of a reply with its codes, or of what a report quotes, without the addresses of people; null where nothing is left. */
export function serverWords(text: string): string | null {
  const [first = '', ...rest] = withoutAddresses(text.slice(0, READ_CHARS).toWellFormed())
    .split('\n')
    .map(plain)
    .filter(Boolean);
  const code = /^\d{3}(?=[ -])/.exec(first)?.[0] ?? null;
  const lines = [code === null ? first : `${code} ${first.slice(4).trimStart()}`];
  const enhanced = /^\d{3} ([245]\.\d{1,3}\.\d{1,3})(?= |$)/.exec(lines[0] ?? '')?.[1] ?? null;
  for (const line of rest) lines.push(code === null ? line : withoutCodes(line, code, enhanced));
  const said = lines.filter(Boolean).join(' ').trim();
  return said === '' ? null : cut(said);
}

/** Every line of one reply repeats its codes (RFC 5321 section 4.2.1, RFC 2034). */
function withoutCodes(line: string, code: string, enhanced: string | null): string {
  if (!line.startsWith(code) || !/^[ -]/.test(line.slice(3))) return line;
  const rest = line.slice(4).trimStart();
  return enhanced !== null && rest.startsWith(`${enhanced} `) ? rest.slice(enhanced.length + 1) : rest;
}

/** Without what moves the cursor or turns the direction of what follows. */
const plain = (line: string): string =>
  line
    .replace(/[\p{Cc}\p{Zs}\u2028\u2029]/gu, ' ')
    .replace(/[\p{Cf}\p{Co}]/gu, '')
    .replace(/ +/g, ' ')
    .trim();

function cut(said: string): string {
  const points = Array.from(said);
  return points.length <= SAID_CHARS ? said : `${points.slice(0, SAID_CHARS - 1).join('')}…`;
}
