// All SQL of acts proposed in a chat. Their arguments are sealed, because they may contain secrets.
import { isDeepStrictEqual } from 'node:util';
import { json, type Reader, type Transaction } from '../../../../kernel/database.ts';
import type { Sealer } from '../../../../kernel/app.ts';
import type { Mark } from '../bound/bound.rules.ts';
import type { Things } from './things.ts';

export type ActionState = 'waiting' | 'performing' | 'done' | 'dropped';

type Row = {
  id: string;
  thread_id: string;
  turn_id: string;
  approval_id: string;
  operation: string;
  arguments: string;
  shown: Record<string, unknown>;
  things: Things;
  /** Null: proposed before marks were saved. */
  bound: Mark[] | null;
  state: ActionState;
};

export type Action = Omit<Row, 'arguments'> & { arguments: Record<string, unknown> };

const context = (id: string): string => `chat_actions.arguments ${id}`;

export async function insertAction(
  tx: Transaction,
  sealer: Sealer,
  action: Omit<Action, 'state'>,
  now: Date,
): Promise<void> {
  const row = {
    ...action,
    arguments: sealer.seal(JSON.stringify(action.arguments), context(action.id)),
    shown: json(tx, action.shown),
    things: json(tx, action.things),
    bound: json(tx, action.bound),
    created_at: now,
  };
  await tx`insert into chat_actions ${tx(row)}`;
}

export async function actionById(db: Reader, sealer: Sealer, id: string): Promise<Action | null> {
  const [row] = await db<Row[]>`
    select id, thread_id, turn_id, approval_id, operation, arguments, shown, things, bound, state from chat_actions where id = ${id}`;
  if (!row) return null;
  return {
    ...row,
    arguments: JSON.parse(sealer.open(row.arguments, context(id))) as Record<string, unknown>,
  };
}

/**
 * The subjects of those that wait in this conversation for the same act with the same arguments, held. Two that are shown alike
 * may differ in what is not shown, so the sealed arguments are compared.
 */
export async function waitingTwins(
  tx: Transaction,
  sealer: Sealer,
  {
    thread_id,
    operation,
    shown,
    arguments: args,
  }: Pick<Action, 'thread_id' | 'operation' | 'shown' | 'arguments'>,
): Promise<string[]> {
  const rows = await tx<Pick<Row, 'id' | 'arguments'>[]>`
    select id, arguments from chat_actions
    where thread_id = ${thread_id} and operation = ${operation} and state = 'waiting'
      and shown - 'seen' = ${json(tx, shown)}::jsonb - 'seen'
    order by id for update`;
  const same = (row: (typeof rows)[number]): boolean =>
    isDeepStrictEqual(unseen(sealer.open(row.arguments, context(row.id))), unseen(JSON.stringify(args)));
  return rows.filter(same).map(({ id }) => id);
}

/** What was seen when it was proposed says how things was, not what is asked. */
const unseen = (text: string): object => ({ ...(JSON.parse(text) as object), seen: null });

export async function threadOfAnswer(db: Reader, answer: string): Promise<string | null> {
  const [row] = await db<{ thread_id: string }[]>`select thread_id from answers where id = ${answer}`;
  return row?.thread_id ?? null;
}

export async function lockAction(tx: Transaction, id: string): Promise<ActionState | null> {
  const [row] = await tx<
    { state: ActionState }[]
  >`select state from chat_actions where id = ${id} for update`;
  return row?.state ?? null;
}

/** Only from this state into that one; false: it is not in it. */
export async function moveAction(
  tx: Transaction,
  id: string,
  from: ActionState,
  to: ActionState,
  more: { outcome?: string | null; settled_at?: Date } = {},
): Promise<boolean> {
  const rows = await tx`
    update chat_actions set ${tx({ state: to, ...more })} where id = ${id} and state = ${from} returning 1`;
  return rows.length > 0;
}

export type Proposal = {
  approval_id: string;
  operation: string;
  shown: Record<string, unknown>;
  state: ActionState;
  outcome: string | null;
  /** How its approval exists, and what was said with the decision. */
  decided: string;
  note: string | null;
  /** Its turn had read what outsiders wrote, or what it came to may hold their words. */
  outside: boolean;
};

const proposals = (db: Reader) => db`
  select c.approval_id, c.operation, c.shown, c.state, c.outcome, a.state as decided, a.note,
    (t.outside or c.outcome is not null) as outside
  from chat_actions c join approvals a on a.id = c.approval_id join chat_turns t on t.id = c.turn_id`;

export const proposedIn = (db: Reader, turn_id: string): Promise<Proposal[]> =>
  db<Proposal[]>`${proposals(db)} where c.turn_id = ${turn_id} order by c.id`;

/** The newest of a conversation, newest first. */
export const proposedBefore = (db: Reader, thread_id: string, most: number): Promise<Proposal[]> =>
  db<Proposal[]>`${proposals(db)} where c.thread_id = ${thread_id} order by c.id desc limit ${most}`;

export async function proposalsOf(db: Reader, turn_id: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from chat_actions where turn_id = ${turn_id}`;
  return row?.count ?? 0;
}

type ShownAction = Pick<Action, 'id' | 'operation' | 'shown' | 'things' | 'bound' | 'state'>;

export const shownActions = (db: Reader, ids: readonly string[]): Promise<ShownAction[]> =>
  db<ShownAction[]>`
    select id, operation, shown, things, bound, state from chat_actions where id = any(${[...ids]}::uuid[])`;
