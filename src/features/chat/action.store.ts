// All SQL of acts that were proposed in a chat. Their arguments are sealed, because secrets may be among them.
import type { Reader, Transaction } from '../../kernel/ground.ts';
import type { Sealer } from '../../kernel/house.ts';
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
    shown: tx.json(action.shown as never),
    things: tx.json(action.things as never),
    created_at: now,
  };
  await tx`insert into chat_actions ${tx(row)}`;
}

export async function actionById(db: Reader, sealer: Sealer, id: string): Promise<Action | null> {
  const [row] = await db<Row[]>`
    select id, thread_id, turn_id, approval_id, operation, arguments, shown, things, state from chat_actions where id = ${id}`;
  if (!row) return null;
  return {
    ...row,
    arguments: JSON.parse(sealer.open(row.arguments, context(id))) as Record<string, unknown>,
  };
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
  /** How its approval stands, and what was said with the decision. */
  decided: string;
  note: string | null;
};

const proposals = (db: Reader) => db`
  select c.approval_id, c.operation, c.shown, c.state, c.outcome, a.state as decided, a.note
  from chat_actions c join approvals a on a.id = c.approval_id`;

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

type ShownAction = Pick<Action, 'id' | 'operation' | 'shown' | 'things'>;

export const shownActions = (db: Reader, ids: readonly string[]): Promise<ShownAction[]> =>
  db<ShownAction[]>`
    select id, operation, shown, things from chat_actions where id = any(${[...ids]}::uuid[])`;
