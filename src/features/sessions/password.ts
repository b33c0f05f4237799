// Passwords: argon2id with the parameters that OWASP's cheat sheet gives first (46 MiB, one pass, one lane), off the main
// thread. Stored as a PHC string, so that parameters can change without breaking what is stored.
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';

type Cost = { memory: number; passes: number; parallelism: number };

const COST: Cost = { memory: 47_104, passes: 1, parallelism: 1 };
const TAG_BYTES = 32;

export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await derive(password, nonce, COST);
  const { memory, passes, parallelism } = COST;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${bare(nonce)}$${bare(tag)}`;
}

/** `stored` null (nobody has this address) costs as much as a real comparison and is false. */
export async function passwordFits(password: string, stored: string | null): Promise<boolean> {
  const parts =
    stored === null ? null : /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored);
  if (!parts) {
    await derive(password, randomBytes(16), COST);
    return false;
  }
  const [, memory, passes, parallelism, nonce = '', tag = ''] = parts;
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const expected = Buffer.from(tag, 'base64');
  const found = await derive(password, Buffer.from(nonce, 'base64'), cost);
  return expected.length === found.length && timingSafeEqual(expected, found);
}

function derive(password: string, nonce: Buffer, cost: Cost): Promise<Buffer> {
  // One person's keyboard may compose a letter that another's writes in two code points.
  const message = password.normalize('NFC');
  return new Promise((resolve, reject) => {
    argon2('argon2id', { message, nonce, tagLength: TAG_BYTES, ...cost }, (error, tag) =>
      error ? reject(error) : resolve(tag),
    );
  });
}

const bare = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');
