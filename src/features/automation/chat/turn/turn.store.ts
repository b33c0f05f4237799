// All SQL of turns: starting one, its progress, its end, and its usage.
import type { Principal } from '../../../../kernel/caller.ts';
import { json, type Reader, type Transaction } from '../../../../kernel/database.ts';
import { newId } from '../../../../kernel/ids.ts';
import { principalColumns } from '../../../../kernel/principal-row.ts';
import type { ModelSaid } from '../../agents/model.ts';
import { spentByAll, startOfDay } from '../../agents/spent.store.ts';
import { withoutSecrets } from '../../../work/proposals/rules.ts';
import type { ShownTurn } from '../contract.ts';
import type { TURN_STATES, Used } from '../../../inbox/threads/chat.contract.ts';

export type TurnState = (typeof TURN_STATES)[number];

export type Turn = {
  id: string;
  thread_id: string;
  agent_id: string;
  agent_name: string;
  model: string;
  /** Whose rights its steps have: looked up again for each of them. */
  by: Principal;
  user_id: string | null;
  token_id: string | null;
  session_id: string | null;
  /** The step of a workflow's run that it is done for. */
  run_step_id: string | null;
  workflow_id: string | null;
  message: string;
  /** It was begun with what outsiders wrote. */
  outside: boolean;
  /** The hold of the process that works on it. */
  lease: string;
};

/** Begins a turn that the caller works on from the moment of the commit. Null: one of this thread is open already. */
export async function insertTurn(
  tx: Transaction,
  turn: Omit<Turn, 'id' | 'lease'> & { asked_key: string | null },
  now: Date,
): Promise<Turn | null> {
  const made = { ...turn, id: newId(), lease: newId() };
  const { by, ...columns } = made;
  const row = {
    ...columns,
    state: 'running',
    ...principalColumns(tx, 'by', by),
    beat_at: now,
    created_at: now,
  };
  const kept = await tx`insert into chat_turns ${tx(row)}
    on conflict (thread_id) where state = 'running' do nothing returning 1`;
  return kept.length > 0 ? made : null;
}

/** One driver's turns begin one after the other, so that no two of them pass a limit together. */
export async function holdDriver(tx: Transaction, { kind, id }: Principal): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`chat.${kind}.${id}`}, 0))`;
}

/** The turn that was asked for under this key; the same key asks for the same turn. */
export async function turnUnder(
  db: Reader,
  { kind, id }: Principal,
  asked_key: string,
): Promise<{ id: string; thread_id: string } | null> {
  const [row] = await db<{ id: string; thread_id: string }[]>`
    select id, thread_id from chat_turns where by_kind = ${kind} and by_id = ${id} and asked_key = ${asked_key}`;
  return row ?? null;
}

/** Whose turns count together: a caller's own, or those of one workflow, whoever it acts for. */
export type Spender = { by: Principal; workflow_id: string | null };

const spentBy = (db: Reader, { by, workflow_id }: Spender) =>
  workflow_id === null
    ? db`by_kind = ${by.kind} and by_id = ${by.id} and workflow_id is null`
    : db`workflow_id = ${workflow_id}`;

export async function runningTurns(db: Reader, spender: Spender): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from chat_turns where state = 'running' and ${spentBy(db, spender)}`;
  return row?.count ?? 0;
}

/** What was said in old turns is told to no model again, and goes, with what tools were given and gave: there may be people's
 * records in it. */
export async function forgetSaid(tx: Transaction, before: Date): Promise<void> {
  await tx`
    update chat_turns set said = '[]',
      used = (select coalesce(jsonb_agg(each || '{"arguments": null, "result": null}' order by place), '[]')
        from jsonb_array_elements(used) with ordinality as old(each, place))
    where id in (
      select id from chat_turns where said <> '[]' and created_at < ${before} and state <> 'running'
      order by created_at limit 1000)`;
}

export type Spent = { caller: number; everybody: number };

/** Model tokens of this day (UTC): of one caller's turns or one workflow's, and of everyone, readings too. */
export async function spentToday(db: Reader, spender: Spender, now: Date): Promise<Spent> {
  const [row] = await db<{ caller: number }[]>`
    select coalesce(sum(tokens), 0)::bigint as caller from chat_turns
    where ${spentBy(db, spender)} and created_at >= ${startOfDay(now)}`;
  return { caller: row?.caller ?? 0, everybody: await spentByAll(db, now) };
}

export type Progress = {
  text: string;
  used: readonly Used[];
  said: readonly ModelSaid[];
  tokens: number;
  outside: boolean;
};

/** What is told again later. Secrets that a tool was given are for the call alone: a proposal keeps them sealed. */
const remembered = (said: readonly ModelSaid[]): ModelSaid[] =>
  said.map((each) =>
    each.role === 'assistant'
      ? { ...each, calls: each.calls.map((call) => ({ ...call, input: withoutSecrets(call.input) })) }
      : each,
  );

/** False: the turn is held by no one of ours any more, or someone wants it stopped. */
export async function keepProgress(
  tx: Transaction,
  { id, lease }: Turn,
  { text, used, said, tokens, outside }: Progress,
  now: Date,
): Promise<boolean> {
  const rows = await tx`
    update chat_turns set text = ${kept(text)}, used = ${json(tx, clean(used))}, said = ${json(tx, clean(remembered(said)))},
      tokens = ${tokens}, outside = ${outside}, beat_at = ${now}
    where id = ${id} and lease = ${lease} and not stop_wanted returning 1`;
  return rows.length > 0;
}

/** Says that it is still worked on. False as above. */
export async function beat(tx: Transaction, { id, lease }: Turn, now: Date): Promise<boolean> {
  const rows = await tx`
    update chat_turns set beat_at = ${now} where id = ${id} and lease = ${lease} and not stop_wanted returning 1`;
  return rows.length > 0;
}

export type Ending = { state: Exclude<TurnState, 'running'>; sentence: string | null };

/** False: it has ended otherwise. */
export async function endTurn(
  tx: Transaction,
  { id, lease }: Turn,
  { text, used, said, tokens, outside }: Progress,
  { state, sentence }: Ending,
  now: Date,
): Promise<boolean> {
  const rows = await tx`
    update chat_turns set state = ${state}, sentence = ${sentence}, text = ${kept(text)}, used = ${json(tx, clean(used))},
      said = ${json(tx, clean(remembered(said)))}, tokens = ${tokens}, outside = ${outside}, lease = null, finished_at = ${now}
    where id = ${id} and lease = ${lease} returning 1`;
  return rows.length > 0;
}

/** The turn of this thread that is open, told to stop. */
export async function wantStop(tx: Transaction, thread_id: string): Promise<string | null> {
  const [row] = await tx<{ id: string }[]>`
    update chat_turns set stop_wanted = true
    where thread_id = ${thread_id} and state = 'running' returning id`;
  return row?.id ?? null;
}

/** Turns whose process is gone end as stalled; what they had said so far is given, to be kept in their threads. */
export async function stallTurns(
  tx: Transaction,
  silentSince: Date,
  sentence: string,
  now: Date,
): Promise<{ thread_id: string; text: string; agent_name: string }[]> {
  return tx<{ thread_id: string; text: string; agent_name: string }[]>`
    update chat_turns set state = 'stalled', lease = null, sentence = ${sentence}, finished_at = ${now}
    where id in (
      select id from chat_turns where state = 'running' and beat_at < ${silentSince}
      order by beat_at limit 50 for update skip locked)
    returning thread_id, text, agent_name`;
}

/** What is seen of a turn from outside. */
export type Look = {
  id: string;
  thread_id: string;
  state: TurnState;
  agent_name: string;
  model: string;
  message: string;
  text: string;
  used: Used[];
  sentence: string | null;
};

const look = (db: Reader) => db`
  select id, thread_id, state, agent_name, model, message, text, used, sentence from chat_turns`;

export async function turnById(db: Reader, id: string): Promise<Look | null> {
  const [row] = await db<Look[]>`${look(db)} where id = ${id}`;
  return row ?? null;
}

/** The newest turn of a step of a run, with the key that it was asked for under. */
export async function turnOfStep(
  db: Reader,
  run_step_id: string,
): Promise<(Look & { asked_key: string | null }) | null> {
  const [row] = await db<(Look & { asked_key: string | null })[]>`
    select id, thread_id, state, agent_name, model, message, text, used, sentence, asked_key from chat_turns
    where run_step_id = ${run_step_id} order by id desc limit 1`;
  return row ?? null;
}

/** The newest of a thread, or the oldest after the one that was seen last. */
export async function turnAfter(db: Reader, thread_id: string, last: string | null): Promise<Look | null> {
  const [row] = await db<Look[]>`
    ${look(db)} where thread_id = ${thread_id} ${last === null ? db`order by id desc` : db`and id > ${last} order by id`} limit 1`;
  return row ?? null;
}

type TurnRow = Omit<ShownTurn, 'created_at'> & { created_at: Date };

/** Newest first; `after` is the last of the page before. */
export async function turnRows(
  db: Reader,
  thread_id: string,
  after: string | null,
  count: number,
): Promise<ShownTurn[]> {
  const rows = await db<TurnRow[]>`
    select id, thread_id, agent_id, agent_name as agent, model, message, text, used, state, sentence, created_at
    from chat_turns where thread_id = ${thread_id} ${after === null ? db`` : db`and id < ${after}`}
    order by id desc limit ${count}`;
  return rows.map(({ created_at, ...row }) => ({ ...row, created_at: created_at.toISOString() }));
}

export type Earlier = {
  message: string;
  said: ModelSaid[];
  state: TurnState;
  agent_id: string | null;
  outside: boolean;
};

/** The ended turns of a thread, newest first. */
export function earlierTurns(db: Reader, thread_id: string, most: number): Promise<Earlier[]> {
  return db<Earlier[]>`
    select message, said, state, agent_id, outside from chat_turns
    where thread_id = ${thread_id} and state <> 'running' order by id desc limit ${most}`;
}

export async function agentOfThread(db: Reader, thread_id: string): Promise<string | null> {
  const [row] = await db<{ agent_id: string | null }[]>`
    select agent_id from chat_turns where thread_id = ${thread_id} order by id desc limit 1`;
  return row?.agent_id ?? null;
}

/** What a model writes is anyone's text: the database takes no NUL and no half of a surrogate pair. */
const kept = (text: string): string => text.toWellFormed().replaceAll('\0', '');
const clean = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value), (_, each: unknown) =>
    typeof each === 'string' ? kept(each) : each,
  ) as T;
