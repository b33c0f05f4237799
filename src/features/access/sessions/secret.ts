// Secrets that a browser carries: a session's cookie and the token in an invitation's link. 32 random bytes as base64url;
// only their SHA-256 is stored.
import { createHash, randomBytes } from 'node:crypto';

const SHAPE = /^[A-Za-z0-9_-]{43}$/;

export const drawSecret = (): string => randomBytes(32).toString('base64url');

export const hasSecretShape = (secret: string): boolean => SHAPE.test(secret);

export const hashOfSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();
