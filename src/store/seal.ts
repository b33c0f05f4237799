// Secrets at rest: AES-256-GCM under the instance’s key, with instance, table, row and column as associated data, so
// that a sealed value moved to another row or instance can’t be opened.
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Sealer } from '../kernel/app.ts';
import { Secret } from '../kernel/secret.ts';
import { CannotStart } from './cannot-start.ts';

const VERSION = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A sealer under `key` (32 bytes). A sealed value is `v1.` + base64url of nonce, tag and ciphertext. */
export function openSealer(key: Buffer, instance: string): Sealer {
  const context = (where: string): Buffer => Buffer.from(`${instance}\n${where}`, 'utf8');
  return {
    seal(plain, where) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(context(where));
      const hidden = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return `${VERSION}.${Buffer.concat([nonce, cipher.getAuthTag(), hidden]).toString('base64url')}`;
    },
    open(sealed, where) {
      const [version, packed] = sealed.split('.');
      if (version !== VERSION || packed === undefined) throw new Error('a sealed value has an unknown form');
      const bytes = Buffer.from(packed, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES)).setAAD(
        context(where),
      );
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([
        decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)),
        decipher.final(),
      ]).toString('utf8');
    },
    key(purpose) {
      const derived = hkdfSync('sha256', key, instance, `dunnock key ${purpose}`, 32);
      return new Secret(Buffer.from(derived).toString('base64url'));
    },
  };
}

/**
 * The instance's key: SERVICE_MASTER_KEY (any text of 16 characters or more, hashed to 32 bytes) or, without it, a file of
 * mode 600 made at first boot. Throws where the given key is too short to be one.
 */
export async function masterKey(given: string | undefined, file: string): Promise<Buffer> {
  if (given !== undefined) return hashed(longEnough(given));
  await mkdir(dirname(file), { recursive: true });
  try {
    // `wx` makes one winner of two processes that boot at once on one folder.
    const handle = await open(file, 'wx', 0o600);
    await handle.writeFile(drawKeyText());
    await handle.sync();
    await handle.close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return hashed(await readFile(file, 'utf8'));
}

/** The same, where one is there already; null where none is, and none is made. */
export async function knownMasterKey(given: string | undefined, file: string): Promise<Buffer | null> {
  if (given !== undefined) return hashed(longEnough(given));
  return readFile(file, 'utf8').then(hashed, () => null);
}

/** The key that a text represents: a master key is any text of 16 characters or more. */
export const keyOfText = (text: string): Buffer => hashed(longEnough(text));

export const drawKeyText = (): string => randomBytes(32).toString('base64url');

const hashed = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();

function longEnough(given: string): string {
  if (given.length < 16)
    throw new CannotStart(
      'SERVICE_MASTER_KEY is shorter than 16 characters: choose a longer one, and keep it.',
    );
  return given;
}
