// Which call a POST repeats: whose, under which key of theirs, of which act with which arguments.
import { createHmac } from 'node:crypto';
import type { AuditRow, IdempotencyKey } from './ground.ts';
import type { Sealer } from './house.ts';
import type { AnyOperation } from './operation.ts';

/** Idempotency-Key is honoured on POST for 24 h, and ignored where an answer shows a secret (domain.md §4). */
export function idempotencyKeyOf(
  { sealer }: { sealer: Sealer },
  op: AnyOperation,
  { act, at, caller }: AuditRow,
  args: Record<string, unknown>,
  key: string | null | undefined,
): IdempotencyKey | null {
  if (!key || op.method !== 'POST') return null;
  if (!('json' in op.answers) || op.answers.shows_secret || caller.credential.kind === 'none') return null;
  // Under a key: arguments may hold a password, and what a plain hash stands for can be guessed by whoever reads the table.
  const arguments_hash = createHmac('sha256', sealer.key('idempotency').reveal())
    .update(JSON.stringify(args))
    .digest('hex');
  const { kind, id } = caller.principal;
  return { owner: `${kind}:${id}`, key, act, arguments_hash, at };
}
