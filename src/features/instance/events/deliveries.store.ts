// All SQL of deliveries as people and programs see them: the list, newest first, and sending again.
import type { Caller } from '../../../kernel/caller.ts';
import type { Reader, Transaction } from '../../../kernel/database.ts';
import type { Delivery, DeliveryState } from './deliveries.contract.ts';
import { readable } from './readable.store.ts';

type Db = Reader | Transaction;

type Row = Omit<Delivery, 'occurred_at' | 'next_attempt_at' | 'delivered_at'> & {
  occurred_at: Date;
  next_attempt_at: Date | null;
  delivered_at: Date | null;
};

const columns = (db: Db) =>
  db`id, event, occurred_at, body, state, attempts, next_attempt_at, last_status, last_error, delivered_at`;

export type DeliveryFilter = {
  event?: string | undefined;
  state?: DeliveryState | undefined;
  before: string | null;
  count: number;
};

/** Named in the text: a partial index serves a state only where the planner can read which one it is. */
const stateIs = (db: Db, state: DeliveryState) =>
  ({
    pending: db`and state = 'pending'`,
    delivered: db`and state = 'delivered'`,
    failed: db`and state = 'failed'`,
    skipped: db`and state = 'skipped'`,
  })[state];

/** Newest first, as if those about what the caller may not read were not there; `before` is the last id of the page before. */
export async function deliveryRows(
  db: Db,
  caller: Caller,
  { event, state, before, count }: DeliveryFilter,
): Promise<Delivery[]> {
  const rows = await db<Row[]>`
    select ${columns(db)} from event_deliveries d where ${readable(db, caller)}
    ${event === undefined ? db`` : db`and event = ${event}`}
    ${state === undefined ? db`` : stateIs(db, state)}
    ${before === null ? db`` : db`and id < ${before}`}
    order by id desc limit ${count}`;
  return rows.map(shown);
}

export type LockedDelivery = { readonly id: string; readonly state: DeliveryState };

export async function lockDelivery(
  tx: Transaction,
  caller: Caller,
  id: string,
): Promise<LockedDelivery | null> {
  const [row] = await tx<LockedDelivery[]>`
    select d.id, d.state from event_deliveries d where d.id = ${id} and ${readable(tx, caller)} for update of d`;
  return row ?? null;
}

/** The whole ladder again; what the last attempt met stays to be read until the next one. */
export async function queueAgain(tx: Transaction, { id }: LockedDelivery, now: Date): Promise<Delivery> {
  const [row] = await tx<Row[]>`
    update event_deliveries set state = 'pending', attempts = 0, next_attempt_at = ${now} where id = ${id}
    returning ${columns(tx)}`;
  if (!row) throw new Error('a locked delivery was gone');
  return shown(row);
}

export type Span = { since: string; until: string | undefined; state: 'failed' | 'skipped' };

/** Oldest first, of those that the caller may read; returns how many of at most `count`. */
export async function queueSpanAgain(
  tx: Transaction,
  caller: Caller,
  span: Span,
  now: Date,
  count: number,
): Promise<number> {
  const { count: queued } = await tx`
    update event_deliveries set state = 'pending', attempts = 0, next_attempt_at = ${now}
    where id in (
      select d.id from event_deliveries d
      where ${readable(tx, caller)} ${stateIs(tx, span.state)} and occurred_at >= ${span.since}
        ${span.until === undefined ? tx`` : tx`and occurred_at < ${span.until}`}
      order by occurred_at, id limit ${count} for update skip locked)`;
  return queued;
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

const shown = (row: Row): Delivery => ({
  ...row,
  occurred_at: row.occurred_at.toISOString(),
  next_attempt_at: iso(row.next_attempt_at),
  delivered_at: iso(row.delivered_at),
});
