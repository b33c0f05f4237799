// All SQL of the marks that a proposed act is bound to: one per record, found by its id in whatever argument names
// it.
import { createHash } from 'node:crypto';
import type { PeopleOf } from '../../../work/proposals/binding.ts';
import type { Caller } from '../../../../kernel/caller.ts';
import type { Reader, Transaction } from '../../../../kernel/database.ts';
import { isUuid } from '../../../../kernel/ids.ts';
import { matching } from '../../../crm/people/filter.store.ts';
import { SEGMENT_MAX } from '../../../outreach/prospects/enrol.contract.ts';
import { loadSegment, matchOf } from '../../../crm/segments/store.ts';
import type { WorkflowStep, Trigger } from '../../workflows/contract.ts';
import { namesIn } from '../../workflows/given/given.rules.ts';
import { marksNow as givenNow } from '../../workflows/given/given.store.ts';
import {
  BOUND_KINDS,
  type BoundKind,
  idsIn,
  keysIn,
  type Mark,
} from '../../../work/proposals/bound.rules.ts';

type Db = Reader | Transaction;
type Sql = ReturnType<Reader>;
type Rows = { id: string; mark: string }[];

/** Who is in a segment is no row, and a policy has its name for an id. */
type RowKind = Exclude<BoundKind, 'people' | 'policy'>;

const TABLES: Record<RowKind, string> = {
  agent: 'agents',
  answer: 'answers',
  campaign: 'campaigns',
  capability: 'capabilities',
  comment: 'work_comments',
  company: 'companies',
  deal: 'deals',
  domain: 'domains',
  form: 'forms',
  group: 'groups',
  identity: 'identities',
  import: 'import_batches',
  item: 'work_items',
  mail: 'inbound_mails',
  person: 'people',
  postal_address: 'postal_addresses',
  project: 'work_projects',
  prospect: 'prospects',
  rule: 'quarantine_rules',
  run: 'workflow_runs',
  segment: 'segments',
  send: 'sends',
  snippet: 'snippets',
  suppression: 'suppressions',
  template: 'letter_templates',
  thread: 'threads',
  token: 'tokens',
  user: 'users',
  workflow: 'workflows',
};

/** What of a row an approval depends on: its revision, and more where that says too little. */
const markOf = (db: Db, kind: RowKind): Sql => {
  switch (kind) {
    case 'campaign':
      return db`md5(jsonb_build_array(t.revision, t.sequence_revision, t.state,
        (select lines from postal_addresses where id = t.postal_address_id),
        (select jsonb_agg(jsonb_build_array(e.identity_id, e.weight, i.revision, i.active, d.state) order by e.identity_id)
         from campaign_identities e join identities i on i.id = e.identity_id join domains d on d.id = i.domain_id
         where e.campaign_id = t.id))::text)`;
    case 'capability':
      return db`md5(jsonb_build_array(t.revision,
        (select jsonb_agg(jsonb_build_array(c.name, c.hash, c.state) order by c.name) from capability_tools c
         where c.capability_id = t.id))::text)`;
    case 'comment':
    case 'import':
    case 'postal_address':
    case 'suppression':
      return db`md5(to_jsonb(t)::text)`;
    case 'domain':
      return db`t.revision || ' ' || t.state`;
    case 'group':
      return db`md5(jsonb_build_array(t.name,
        (select jsonb_agg(m.user_id order by m.user_id) from group_members m where m.group_id = t.id),
        (select jsonb_agg(o.policy_name order by o.policy_name) from group_policies o where o.group_id = t.id))::text)`;
    case 'identity':
      return db`t.revision || ' ' || t.active || ' ' || (select state from domains where id = t.domain_id)`;
    case 'mail':
      return db`coalesce(t.settled_at::text, 'waiting')`;
    case 'person':
      return db`t.revision || ' ' || coalesce((select hash from person_addresses where person_id = t.id and is_primary), '')`;
    case 'prospect':
      return db`md5(jsonb_build_array(t.campaign_id, t.person_id, t.identity_id, t.hold_reason, t.hold_until, t.ended)::text)`;
    case 'rule':
      // Made and deleted, never changed; what it counts is no matter.
      return db`t.kind || ' ' || t.value`;
    case 'run':
      return db`t.version || ' ' || t.state`;
    case 'send':
      return db`t.fingerprint || ' ' || t.state`;
    case 'token':
      return db`md5((to_jsonb(t) - array['last_used_at', 'first_agent_turn_at'])::text)`;
    case 'user':
      return db`md5(jsonb_build_array(t.name, t.email, t.state, t.admin,
        (select jsonb_agg(o.policy_name order by o.policy_name) from user_policies o where o.user_id = t.id))::text)`;
    case 'agent':
    case 'answer':
    case 'company':
    case 'deal':
    case 'form':
    case 'item':
    case 'project':
    case 'segment':
    case 'snippet':
    case 'template':
    case 'thread':
    case 'workflow':
      return db`t.revision::text`;
  }
};

const isRow = (kind: BoundKind): kind is RowKind => kind !== 'people' && kind !== 'policy';

/** Of these kinds, which `hold` keeps as they are until the transaction ends. */
async function rowMarks(
  db: Db,
  ids: readonly string[],
  kinds: readonly BoundKind[],
  hold: boolean,
): Promise<Mark[]> {
  const marks: Mark[] = [];
  if (ids.length === 0) return marks;
  for (const kind of kinds.filter(isRow)) {
    const rows = await db<Rows>`
      select t.id, ${markOf(db, kind)} as mark from ${db(TABLES[kind])} t
      where t.id = any(${[...ids]}::uuid[]) order by t.id ${hold ? db`for no key update of t` : db``}`;
    const named = kind === 'workflow' ? await givenMarks(db, ids, hold) : null;
    marks.push(...rows.map(({ id, mark }) => ({ kind, id, mark: `${mark}${named?.get(id) ?? ''}` })));
  }
  return marks;
}

/** Of policies, by their names. */
async function policyMarks(db: Db, names: readonly string[], hold: boolean): Promise<Mark[]> {
  const rows = await db<Rows>`
    select name as id, md5(statements::text) as mark from policies
    where name = any(${[...names]}::text[]) order by name ${hold ? db`for no key update` : db``}`;
  return rows.map((row) => ({ kind: 'policy', ...row }));
}

/** The projects that are called so, by their ids: a key never comes to name another. */
async function idsOfKeys(db: Db, keys: readonly string[]): Promise<string[]> {
  const upper = keys.map((key) => key.toUpperCase());
  const rows = await db<{ id: string }[]>`select id from work_projects where key = any(${upper}::text[])`;
  return rows.map((row) => row.id);
}

/** Of what each workflow with wire gives it to by name, for its activation: an edit of that leaves the workflow's revision. */
async function givenMarks(db: Db, ids: readonly string[], hold: boolean): Promise<Map<string, string>> {
  const rows = await db<{ id: string; trigger: Trigger; steps: WorkflowStep[] }[]>`
    select id, trigger, steps from workflows where id = any(${[...ids]}::uuid[]) order by id`;
  const marks = new Map<string, string>();
  for (const { id, trigger, steps } of rows) {
    const named = namesIn(trigger, steps).flatMap((each) => (isUuid(each.id) ? [each.id] : []));
    if (hold) await rowMarks(db, named, NAMED_BY_STEPS, true);
    const given = await givenNow(db, trigger, steps);
    const sorted = given.map(({ kind, id: of, mark }) => `${kind} ${of} ${mark}`).toSorted();
    if (sorted.length > 0) marks.set(id, ` ${createHash('sha256').update(sorted.join('\n')).digest('hex')}`);
  }
  return marks;
}

const NAMED_BY_STEPS: readonly BoundKind[] = ['agent', 'campaign', 'form', 'segment'];

/**
 * Of everyone in a segment, whoever reads it: who they are and where a letter to each would go. `hold`: they stay as they are
 * until the transaction ends. Someone new may still come into the segment: an act that takes its people takes these alone.
 */
async function peopleOf(
  db: Db,
  caller: Caller,
  id: string,
  hold: boolean,
  now: Date,
): Promise<{ mark: Mark; people: ReadonlySet<string> }> {
  const segment = await loadSegment(db, caller, 'crm.segment.read', id);
  const rows = await db<{ id: string }[]>`
    select p.id from people p where ${matching(db, [await matchOf(db, segment)], now)}
    order by p.id limit ${SEGMENT_MAX + 1} ${hold ? db`for no key update of p` : db``}`;
  const people = rows.map((row) => row.id);
  const [row] = await db<{ mark: string }[]>`
    select md5(coalesce(string_agg(x.id || coalesce(a.hash, ''), ',' order by x.id), '')) as mark
    from unnest(${people}::uuid[]) x (id) left join person_addresses a on a.person_id = x.id and a.is_primary`;
  return { mark: { kind: 'people', id, mark: row?.mark ?? '' }, people: new Set(people) };
}

/**
 * Marks of whatever is under the ids and keys among these arguments, for an act that is being proposed. `asSet`: a segment represents its people, so
 * whoever may not read it is refused: what has no mark is bound to nothing.
 */
export async function marksNow(
  db: Db,
  caller: Caller,
  args: unknown,
  asSet: boolean,
  now: Date,
): Promise<Mark[]> {
  const keys = keysIn(args);
  const ids = [...new Set([...idsIn(args), ...(await idsOfKeys(db, keys))])].toSorted();
  const marks = [...(await rowMarks(db, ids, BOUND_KINDS, false)), ...(await policyMarks(db, keys, false))];
  if (!asSet) return marks;
  for (const { id } of marks.filter(({ kind }) => kind === 'segment'))
    marks.push((await peopleOf(db, caller, id, false, now)).mark);
  return marks;
}

/** The same of what was marked. `taken` hears whom the segments among it have. */
export async function marksAgain(
  db: Db,
  caller: Caller,
  before: readonly Mark[],
  hold: boolean,
  now: Date,
  taken: PeopleOf = new Map(),
): Promise<Mark[]> {
  const kinds = BOUND_KINDS.filter((kind) => before.some((each) => each.kind === kind));
  const policies = before.flatMap(({ kind, id }) => (kind === 'policy' ? [id] : []));
  const ids = [...new Set(before.flatMap(({ kind, id }) => (kind === 'policy' ? [] : [id])))];
  const marks = [...(await rowMarks(db, ids, kinds, hold)), ...(await policyMarks(db, policies, hold))];
  for (const { id } of before.filter(({ kind }) => kind === 'people')) {
    const { mark, people } = await peopleOf(db, caller, id, hold, now);
    marks.push(mark);
    taken.set(id, people);
  }
  return marks;
}

/** The conversation of a drafted answer. */
export async function threadOfAnswer(db: Reader, answer: string): Promise<string | null> {
  const [row] = await db<{ thread_id: string }[]>`select thread_id from answers where id = ${answer}`;
  return row?.thread_id ?? null;
}
