// Identifies a repeated call: its owner, its key, the act and a hash of its arguments.
import { createHmac } from 'node:crypto';
import type { Caller } from './caller.ts';
import type { RequestFacts } from './context.ts';
import type { AuditRow, IdempotencyKey } from './database.ts';
import type { Sealer } from './app.ts';
import type { AnyOperation } from './operation.ts';

/**
 * Idempotency-Key is honoured on POST for 24 h, and ignored where an answer shows a secret (domain.md §4). The other methods
 * need none: their repetition changes nothing more, or is refused by the revision that it names.
 */
export const takesKey = (op: AnyOperation): boolean =>
  op.method === 'POST' && op.effect !== 'read' && 'json' in op.answers && !op.answers.shows_secret;

/** What a key may be: letters, digits and signs of ASCII. */
export const KEY_FORM = /^[!-~]{1,200}$/;

export function idempotencyKeyOf(
  { sealer }: { sealer: Sealer },
  op: AnyOperation,
  { act, at, caller }: AuditRow,
  args: Record<string, unknown>,
  { idempotency_key, kept_under }: Pick<RequestFacts, 'idempotency_key' | 'kept_under'>,
): IdempotencyKey | null {
  const asked = idempotency_key && takesKey(op) ? { owner: ownerOf(caller), key: idempotency_key } : null;
  const named: Named | null = kept_under ?? asked;
  const secret = 'json' in op.answers && op.answers.shows_secret;
  if (!named || secret || caller.credential.kind === 'none') return null;
  // Under a key: arguments may hold a password, and what a plain hash represents can be guessed by whoever reads the table.
  const arguments_hash = createHmac('sha256', sealer.key('idempotency').reveal())
    .update(JSON.stringify(args))
    .digest('hex');
  return { ...named, act, arguments_hash, at };
}

type Named = { owner: string; key: string; life_ms?: number };

const ownerOf = ({ principal: { kind, id } }: Caller): string => `${kind}:${id}`;
