// Challenges that a passkey signs: drawn for one purpose and one session, worth five minutes, and carrying their own proof, so
// that a stranger who asks for a thousand fills no table. One that was used is remembered until it ends (passkeys.store.ts).
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { MINUTE_MS } from '../../../kernel/clock.ts';
import type { Sealer } from '../../../kernel/app.ts';

export type Purpose = 'register' | 'sign_in' | 'step_up';
/** `session` is null at sign-in, where there is none yet. */
export type Bound = { purpose: Purpose; session: string | null };

export const CHALLENGE_MS = 5 * MINUTE_MS;

const DRAWN = 24;
const END = 6;

/** 24 random bytes, when it ends, and what proves both. */
export function drawChallenge(sealer: Pick<Sealer, 'key'>, bound: Bound, now: Date): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(DRAWN + END);
  randomBytes(DRAWN).copy(head);
  head.writeUIntBE(now.getTime() + CHALLENGE_MS, DRAWN, END);
  return new Uint8Array(Buffer.concat([head, proof(sealer, bound, head)]));
}

/** When it ends; null where it is none of ours, was drawn for something else or for another session, or has ended. */
export function challengeEnds(
  sealer: Pick<Sealer, 'key'>,
  bound: Bound,
  challenge: string,
  now: Date,
): Date | null {
  const bytes = Buffer.from(challenge, 'base64url');
  if (bytes.length !== DRAWN + END + 32) return null;
  const head = bytes.subarray(0, DRAWN + END);
  if (!timingSafeEqual(bytes.subarray(DRAWN + END), proof(sealer, bound, head))) return null;
  const ends = new Date(head.readUIntBE(DRAWN, END));
  return ends > now ? ends : null;
}

const proof = (sealer: Pick<Sealer, 'key'>, { purpose, session }: Bound, head: Buffer): Buffer =>
  createHmac('sha256', sealer.key('passkey challenge').reveal())
    .update(`${purpose}\n${session ?? ''}\n`)
    .update(head)
    .digest();
