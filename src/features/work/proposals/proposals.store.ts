// All SQL of proposed acts. Their arguments are sealed, because they may contain secrets.
import { createHmac } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { json, type Reader, type Transaction } from '../../../kernel/database.ts';
import type { Sealer } from '../../../kernel/app.ts';
import { conflict } from '../../../kernel/refusal.ts';
import type { Mark } from './bound.rules.ts';
import type { ProposalState, ShownRehearsal } from './contract.ts';
import { type ORIGINS, withoutSecrets } from './rules.ts';
import type { Things } from './things.ts';

export type Origin = (typeof ORIGINS)[number];

/** One act of a proposal, as it is performed and as people are shown it. */
export type Step = { act: string; arguments: Record<string, unknown> };

type Row = {
  id: string;
  thread_id: string | null;
  turn_id: string | null;
  approval_id: string;
  origin: Origin;
  proposer: string;
  why: string;
  /** `plan` where it has steps. */
  operation: string;
  /** Sealed: those of the act, or the steps of a plan under `steps`. See `argumentsIn`. */
  arguments: string;
  shown: Record<string, unknown>;
  things: Things;
  /** Null: proposed before marks were saved. */
  bound: Mark[] | null;
  steps: number | null;
  steps_done: number;
  rehearsal: ShownRehearsal | null;
  state: ProposalState;
  outcome: string | null;
  expires_at: Date | null;
  supersedes: string | null;
  key: string | null;
  created_at: Date;
  settled_at: Date | null;
};

export type Proposal = Row & {
  /** The state of its approval, and the note of whoever decided it. */
  decided: string;
  note: string | null;
};

/** The name that the first of them were sealed under. */
const context = (id: string): string => `chat_actions.arguments ${id}`;

/** Of a call, so that a repeated one is told by it: a plain hash could be guessed from by whoever reads the table. */
export const askedHash = (sealer: Sealer, asked: unknown): string =>
  createHmac('sha256', sealer.key('proposals').reveal()).update(JSON.stringify(asked)).digest('hex');

export type NewProposal = Pick<
  Row,
  | 'id'
  | 'thread_id'
  | 'turn_id'
  | 'approval_id'
  | 'origin'
  | 'proposer'
  | 'why'
  | 'operation'
  | 'shown'
  | 'things'
  | 'steps'
  | 'rehearsal'
  | 'expires_at'
  | 'supersedes'
  | 'key'
> & { arguments: Record<string, unknown>; bound: Mark[]; asked_hash: string | null };

export async function insertProposal(
  tx: Transaction,
  sealer: Sealer,
  proposal: NewProposal,
  now: Date,
): Promise<void> {
  const row = {
    ...proposal,
    arguments: sealer.seal(JSON.stringify(proposal.arguments), context(proposal.id)),
    shown: json(tx, proposal.shown),
    things: json(tx, proposal.things),
    bound: json(tx, proposal.bound),
    rehearsal: proposal.rehearsal && json(tx, proposal.rehearsal),
    created_at: now,
  };
  await tx`insert into proposals ${tx(row)}`;
}

const columns = (db: Reader) => db`
  p.id, p.thread_id, p.turn_id, p.approval_id, p.origin, p.proposer, p.why, p.operation, p.arguments, p.shown, p.things,
  p.bound, p.steps, p.steps_done, p.rehearsal, p.state, p.outcome, p.expires_at, p.supersedes, p.key, p.created_at,
  p.settled_at, a.state as decided, a.note`;

/** As they are performed. Throws a Refusal where the seal is broken, or people were shown something else. */
export function argumentsIn(
  sealer: Sealer,
  { id, arguments: sealed, shown }: Proposal,
): Record<string, unknown> {
  let given: Record<string, unknown>;
  try {
    given = JSON.parse(sealer.open(sealed, context(id))) as Record<string, unknown>;
  } catch {
    throw BROKEN;
  }
  if (!isDeepStrictEqual(withoutSecrets(given), shown)) throw BROKEN;
  return given;
}

const BROKEN = conflict(
  'this proposal was changed in the database after it was made: reject it, and have it proposed again',
);

export async function proposalById(db: Reader, id: string): Promise<Proposal | null> {
  const [row] = await db<Proposal[]>`
    select ${columns(db)} from proposals p join approvals a on a.id = p.approval_id where p.id = ${id}`;
  return row ?? null;
}

/** An earlier call of this proposer under the same key, or without one with the same arguments since a moment. */
export async function repeatedBy(
  db: Reader,
  {
    proposer,
    key,
    asked_hash,
    since,
  }: { proposer: string; key: string | null; asked_hash: string; since: Date },
): Promise<{ id: string; same: boolean } | null> {
  const [row] = await db<{ id: string; same: boolean }[]>`
    select id, asked_hash is not distinct from ${asked_hash} as same from proposals
    where proposer = ${proposer}
      and ${key === null ? db`key is null and asked_hash = ${asked_hash} and created_at > ${since} and state in ('waiting', 'performing', 'done')` : db`key = ${key}`}
    order by created_at desc limit 1`;
  return row ?? null;
}

/** Until the transaction ends no other call like this one is looked at: of two at once the second finds the first's. */
export const oneAtATime = async (
  tx: Transaction,
  { proposer, key, asked_hash }: { proposer: string; key: string | null; asked_hash: string },
): Promise<void> =>
  void (await tx`select pg_advisory_xact_lock(hashtextextended(${`proposals ${proposer} ${key ?? asked_hash}`}, 0))`);

export async function openOf(db: Reader, proposer: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from proposals where proposer = ${proposer} and state in ('waiting', 'performing')`;
  return row?.count ?? 0;
}

export type Listing = {
  proposer: string | null;
  approvals: readonly string[] | null;
  state: ProposalState | undefined;
  since: string | undefined;
  after: readonly [created_at: string, id: string] | null;
  count: number;
};

/** Newest first: those of a proposer, or behind these approvals. `since`: made or settled since. */
export function listProposals(db: Reader, asked: Listing): Promise<Proposal[]> {
  const { proposer, approvals, state, since, after, count } = asked;
  return db<Proposal[]>`
    select ${columns(db)} from proposals p join approvals a on a.id = p.approval_id
    where ${proposer === null ? db`true` : db`p.proposer = ${proposer}`}
      ${approvals === null ? db`` : db`and p.approval_id = any(${[...approvals]}::uuid[])`}
      ${state === undefined ? db`` : db`and p.state = ${state}`}
      ${since === undefined ? db`` : db`and greatest(p.created_at, p.settled_at) >= ${since}`}
      ${after === null ? db`` : db`and (p.created_at, p.id) < (${after[0]}, ${after[1]})`}
    order by p.created_at desc, p.id desc limit ${count}`;
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
  }: { thread_id: string } & Pick<NewProposal, 'operation' | 'shown' | 'arguments'>,
): Promise<string[]> {
  const rows = await tx<Pick<Row, 'id' | 'arguments'>[]>`
    select id, arguments from proposals
    where thread_id = ${thread_id} and operation = ${operation} and state = 'waiting'
      and shown - 'seen' = ${json(tx, shown)}::jsonb - 'seen'
    order by id for update`;
  const same = (row: (typeof rows)[number]): boolean =>
    isDeepStrictEqual(unseen(sealer.open(row.arguments, context(row.id))), unseen(JSON.stringify(args)));
  return rows.filter(same).map(({ id }) => id);
}

/** What was seen when it was proposed says how things was, not what is asked. */
const unseen = (text: string): object => ({ ...(JSON.parse(text) as object), seen: null });

export async function lockProposal(tx: Transaction, id: string): Promise<ProposalState | null> {
  const [row] = await tx<{ state: ProposalState }[]>`select state from proposals where id = ${id} for update`;
  return row?.state ?? null;
}

/** Only from this state into that one; false: it is not in it. */
export async function moveProposal(
  tx: Transaction,
  id: string,
  from: ProposalState,
  to: ProposalState,
  more: { outcome?: string | null; settled_at?: Date; steps_done?: number } = {},
): Promise<boolean> {
  const rows = await tx`
    update proposals set ${tx({ state: to, ...more })} where id = ${id} and state = ${from} returning 1`;
  return rows.length > 0;
}

/** Those whose time is over, held. */
export const expiredProposals = (
  tx: Transaction,
  now: Date,
  most: number,
): Promise<{ id: string; approval_id: string }[]> =>
  tx<{ id: string; approval_id: string }[]>`
    select id, approval_id from proposals where state = 'waiting' and expires_at <= ${now}
    order by expires_at limit ${most} for update skip locked`;

export type ChatProposal = Pick<
  Proposal,
  'approval_id' | 'operation' | 'shown' | 'state' | 'outcome' | 'decided' | 'note'
> & {
  /** Its turn had read what outsiders wrote, or what it came to may hold their words. */
  outside: boolean;
};

const ofChats = (db: Reader) => db`
  select p.approval_id, p.operation, p.shown, p.state, p.outcome, a.state as decided, a.note,
    (t.outside or p.outcome is not null) as outside
  from proposals p join approvals a on a.id = p.approval_id join chat_turns t on t.id = p.turn_id`;

export const proposedIn = (db: Reader, turn_id: string): Promise<ChatProposal[]> =>
  db<ChatProposal[]>`${ofChats(db)} where p.turn_id = ${turn_id} order by p.id`;

/** The newest of a conversation, newest first. */
export const proposedBefore = (db: Reader, thread_id: string, most: number): Promise<ChatProposal[]> =>
  db<ChatProposal[]>`${ofChats(db)} where p.thread_id = ${thread_id} order by p.id desc limit ${most}`;

export async function proposalsOfTurn(db: Reader, turn_id: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from proposals where turn_id = ${turn_id}`;
  return row?.count ?? 0;
}

type Shown = Pick<
  Row,
  | 'id'
  | 'operation'
  | 'shown'
  | 'things'
  | 'bound'
  | 'state'
  | 'origin'
  | 'why'
  | 'steps'
  | 'rehearsal'
  | 'expires_at'
  | 'supersedes'
>;

export const shownProposals = (db: Reader, ids: readonly string[]): Promise<Shown[]> =>
  db<Shown[]>`
    select id, operation, shown, things, bound, state, origin, why, steps, rehearsal, expires_at, supersedes
    from proposals where id = any(${[...ids]}::uuid[])`;
