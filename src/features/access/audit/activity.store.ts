// All SQL that reads acts and agents’ reads together, newest first, filtered by actor, act, record or time.
import type { Caller } from '../../../kernel/caller.ts';
import type { Reader } from '../../../kernel/database.ts';
import type { ActivityRow } from './contract.ts';
import type { Condition } from '../policies/named.store.ts';
import { readable } from './readable.store.ts';

export type ActivityFilter = {
  show: 'all' | 'acts' | 'reads';
  act?: string | undefined;
  outcome?: string | undefined;
  actor?: string | undefined;
  surface?: string | undefined;
  /** `crm:person`. */
  noun?: string | undefined;
  /** `crm:person/<id>`. */
  resource?: string | undefined;
  /** Ids: at or after, and before. */
  first?: string | undefined;
  before?: string | undefined;
  count: number;
};

type Found = Omit<ActivityRow, 'at' | 'until' | 'record'> & { at: Date; until: Date };
type Part = ReturnType<Reader>;

const WHO = (db: Reader) => db`
  jsonb_build_object('kind', principal_kind, 'id', principal_id, 'name', principal_name) as principal,
  case when on_behalf_of_id is not null
    then jsonb_build_object('kind', 'person', 'id', on_behalf_of_id, 'name', on_behalf_of_name) end as on_behalf_of,
  case when token_id is not null then jsonb_build_object('id', token_id, 'name', token_name) end as token`;

/** Without what was done to things that the caller's policies deny. Each source gives its own newest by an index, and of both together the newest are taken. */
export async function activityRows(
  db: Reader,
  caller: Caller,
  filter: ActivityFilter,
): Promise<(Omit<Found, 'at' | 'until'> & { at: string; until: string })[]> {
  const { show, outcome, count } = filter;
  const may = readable(db, caller);
  const acts = db`
    select id, at, at as until, 'act' as kind, times as count, surface, turn, act, resource, outcome, code, sentence, request_id,
      ${WHO(db)} from (${narrowed(db, db`audit`, may, filter)}) acts`;
  const reads = db`
    select id, at, until, 'read' as kind, count, surface, turn, act, resource, 'done' as outcome, null as code,
      null as sentence, request_id, ${WHO(db)} from (${narrowed(db, db`activity_reads`, may, filter)}) reads`;
  const only_acts = show === 'acts' || (outcome !== undefined && outcome !== 'done');
  const found = only_acts ? acts : show === 'reads' ? reads : db`(${acts}) union all (${reads})`;
  const rows = await db<Found[]>`select * from (${found}) activity order by id desc limit ${count}`;
  return rows.map((row) => ({ ...row, at: row.at.toISOString(), until: row.until.toISOString() }));
}

/** What was refused for its arguments is a slip of whoever typed, and not what someone looks for among refusals. */
function outcomeIs(db: Reader, outcome: string | undefined): Part {
  if (outcome === undefined || outcome === 'done') return db``;
  if (outcome === 'fault') return db`and outcome = 'fault'`;
  const invalid = db`code is not distinct from 'invalid'`;
  return outcome === 'invalid'
    ? db`and outcome = 'refused' and ${invalid}`
    : db`and outcome = 'refused' and not (${invalid})`;
}

/** Each of the three ways in which someone is an actor has its own index. */
function narrowed(db: Reader, table: Part, may: Condition, filter: ActivityFilter): Part {
  const { act, outcome, actor, surface, noun, resource, first, before, count } = filter;
  const newest = (as: Part): Part => db`
    select * from ${table} a where ${as} and ${may}
    ${act === undefined ? db`` : db`and act = ${act}`}
    ${outcomeIs(db, outcome)}
    ${surface === undefined ? db`` : db`and surface = ${surface}`}
    ${noun === undefined || resource !== undefined ? db`` : db`and noun = ${noun}`}
    ${resource === undefined ? db`` : db`and resource = ${resource}`}
    ${first === undefined ? db`` : db`and id >= ${first}`}
    ${before === undefined ? db`` : db`and id < ${before}`}
    order by id desc limit ${count}`;
  if (actor === undefined) return newest(db`true`);
  return db`
    (${newest(db`principal_id = ${actor}`)}) union
    (${newest(db`token_id = ${actor}`)}) union
    (${newest(db`on_behalf_of_id = ${actor}`)}) order by id desc limit ${count}`;
}
