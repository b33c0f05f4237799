// The only writer of `sends.state`: creates letters and moves them as the table says (transitions.rules.ts), one or many per
// statement. Callers write facts and events (save.store.ts, flow.store.ts, the sender).
import type { PendingQuery, Row } from 'postgres';
import type { Reader, Transaction } from '../../../../kernel/database.ts';
import { after } from '../../../../kernel/machine.ts';
import { sets, stands } from '../../../../store/machine.ts';
import { type Act, givenOf, type LetterState } from './send.rules.ts';
import { UNMOVED } from './columns.rules.ts';
import { LETTERS, type SendState } from './transitions.rules.ts';

/** Of `sends`: the rows that may do this, for whoever locks them first. */
export const mayMove = (db: Reader, done: Act, now: Date): PendingQuery<Row[]> =>
  stands(db, LETTERS.acts[done.kind], givenOf(done), now);

/**
 * Moves those of `which`, ids or a condition on `sends s`, that are where the act leads from, and gives their ids. `words`: what they say
 * from now on, in columns that the table knows nothing of.
 */
export async function moveLetters(
  tx: Transaction,
  which: readonly string[] | PendingQuery<Row[]>,
  done: Act,
  now: Date,
  words: Readonly<Record<string, unknown>> = {},
): Promise<string[]> {
  const those = 'length' in which ? tx`s.id = any(${[...which]}::uuid[])` : which;
  const said = Object.entries(words)
    .map(([name, value]) => tx`${tx(name)} = ${value as never}, `)
    .reduce((all, each) => tx`${all}${each}`, tx``);
  const moved = await tx<{ id: string }[]>`
    update sends s set ${said}${sets(tx, LETTERS, done.kind, givenOf(done), now)}
    where ${those} and ${mayMove(tx, done, now)} returning s.id`;
  return moved.map(({ id }) => id);
}

type New = Pick<LetterState, 'fingerprint' | 'scheduled_for'> & Partial<LetterState>;

/** A letter comes into the world, queued as its policy says. Null: its step has one already. */
export async function insertLetter(
  tx: Transaction,
  columns: Readonly<Record<string, unknown>>,
  letter: New,
  queue: Extract<Act, { kind: 'queue' }>,
  now: Date,
): Promise<SendState | null> {
  const queued = after(LETTERS, 'queue', { ...UNMOVED, ...letter }, queue, now);
  const [made] = await tx<{ state: SendState }[]>`
    insert into sends ${tx({ ...columns, ...queued, created_at: now })}
    on conflict (prospect_id, step_id) where state <> 'cancelled' do nothing returning state`;
  return made?.state ?? null;
}
