// All SQL of the records that an activation names: a mark of each as it is now, and the marks that a version saved.
import { createHash } from 'node:crypto';
import type { Reader, Transaction } from '../../../../kernel/database.ts';
import { isUuid } from '../../../../kernel/ids.ts';
import { agentNamed } from '../../agents/store.ts';
import { isForeignName } from '../../agents/tools.rules.ts';
import type { WorkflowStep, Trigger } from '../contract.ts';
import { type GivenRecord, type GivenKind, type NamedRecord, namesIn } from './given.rules.ts';

type Db = Reader | Transaction;
type Marked = { id: string; mark: string }[];

/** What is gone has a mark too: it is another than what was given. */
const GONE = 'gone';

const digest = (of: unknown): string => createHash('sha256').update(JSON.stringify(of)).digest('hex');

/** Of what the names of a workflow represent, with the identities of its campaigns and the tool servers of its agents. */
export async function marksNow(
  db: Db,
  trigger: Trigger,
  steps: readonly WorkflowStep[],
): Promise<GivenRecord[]> {
  const named = namesIn(trigger, steps);
  const of = (kind: GivenKind): string[] => named.flatMap((each) => (each.kind === kind ? [each.id] : []));
  const agents = await agentsOf(db, of('agent'));
  const ids = (kind: GivenKind): string[] => of(kind).filter(isUuid);
  const campaigns = ids('campaign');
  const found = [
    ...as('segment', await segmentMarks(db, ids('segment'))),
    ...as('person', await personMarks(db, ids('person'))),
    ...as('campaign', await campaignMarks(db, campaigns)),
    ...as('identity', await identityMarks(db, campaigns)),
    ...as('form', await formMarks(db, ids('form'))),
    ...as(
      'agent',
      agents.map(({ said, told }) => ({ id: said, mark: told === null ? GONE : digest(told) })),
    ),
    ...as('capability', await capabilityMarks(db, agents)),
  ];
  const isFound = ({ kind, id }: NamedRecord): boolean =>
    found.some((each) => each.kind === kind && each.id === id);
  return [...found, ...named.filter((each) => !isFound(each)).map((each) => ({ ...each, mark: GONE }))];
}

const as = (kind: GivenKind, marked: Marked): GivenRecord[] =>
  marked.map(({ id, mark }) => ({ kind, id, mark }));

const segmentMarks = (db: Db, ids: string[]): Promise<Marked> =>
  db<Marked>`select id, revision::text as mark from segments where id = any(${ids}::uuid[])`;

const personMarks = (db: Db, ids: string[]): Promise<Marked> => db<Marked>`
  select p.id, coalesce(a.hash, 'none') as mark from people p
  left join person_addresses a on a.person_id = p.id and a.is_primary where p.id = any(${ids}::uuid[])`;

/** All of it but what goes automatically or by a wire act: state, reasons, confirmations, and who wrote it when. */
const campaignMarks = (db: Db, ids: string[]): Promise<Marked> => db<Marked>`
  select c.id, md5((to_jsonb(c) - ${VOLATILE}::text[])::text || coalesce(p.lines, '') || (
    select coalesce(jsonb_agg(jsonb_build_array(e.identity_id, e.weight) order by e.identity_id), '[]')::text
    from campaign_identities e where e.campaign_id = c.id)) as mark
  from campaigns c left join postal_addresses p on p.id = c.postal_address_id where c.id = any(${ids}::uuid[])`;

const VOLATILE = `
  state paused_reason paused_at search owner
  revision created_at updated_at activated_by_kind activated_by_id
  activated_by_name activated_by_on_behalf_of activated_token activated_at loosened_at
  review_bound_revision review_bound_at no_human_review_by_kind no_human_review_by_id no_human_review_by_name
  no_human_review_at no_human_review_by_on_behalf_of no_human_review_token no_human_review_revision`
  .trim()
  .split(/\s+/);

const identityMarks = (db: Db, campaigns: string[]): Promise<Marked> => db<Marked>`
  select distinct i.id, md5(jsonb_build_array(i.name, i.address, i.reply_to, i.signature_text, i.signature_html,
    i.transport_kind, i.transport, i.gone_at)::text) as mark
  from campaign_identities e join identities i on i.id = e.identity_id where e.campaign_id = any(${campaigns}::uuid[])`;

const formMarks = (db: Db, ids: string[]): Promise<Marked> => db<Marked>`
  select id, md5(jsonb_build_array(campaign_id, identity_id, active)::text) as mark
  from forms where id = any(${ids}::uuid[])`;

type AgentNow = { said: string; told: unknown; tools: readonly string[] };

async function agentsOf(db: Db, names: string[]): Promise<AgentNow[]> {
  const found: AgentNow[] = [];
  for (const said of names) {
    const agent = await agentNamed(db, said === '' ? null : said);
    const { id, instructions, tools, model } = agent ?? {};
    found.push({ said, told: agent && [id, instructions, tools, model], tools: tools ?? [] });
  }
  return found;
}

function capabilityMarks(db: Db, agents: readonly AgentNow[]): Promise<Marked> {
  const tools = agents.flatMap((agent) => agent.tools.filter(isForeignName));
  const names = [...new Set(tools.map((name) => name.split('__')[0] ?? ''))];
  return db<Marked>`
    select c.id, md5(jsonb_build_array(c.url, c.auth, c.client_id, (
      select jsonb_agg(jsonb_build_array(t.name, t.consented_hash) order by t.name) from capability_tools t
      where t.capability_id = c.id and t.consented_hash is not null))::text) as mark
    from capabilities c where c.name = any(${names}::text[])`;
}

/** The rows of what is named, and of the identities of the campaigns among it. */
async function hold(tx: Transaction, named: readonly NamedRecord[]): Promise<void> {
  const ids = (kind: GivenKind): string[] =>
    named.flatMap((each) => (each.kind === kind && isUuid(each.id) ? [each.id] : []));
  await tx`select from segments where id = any(${ids('segment')}::uuid[]) order by id for no key update`;
  await tx`select from campaigns where id = any(${ids('campaign')}::uuid[]) order by id for no key update`;
  await tx`
    select from identities where id in (
      select identity_id from campaign_identities where campaign_id = any(${ids('campaign')}::uuid[]))
    order by id for no key update`;
  await tx`select from people where id = any(${ids('person')}::uuid[]) order by id for no key update`;
  await tx`select from forms where id = any(${ids('form')}::uuid[]) order by id for no key update`;
}

type Version = { workflow_id: string; version: number };

/**
 * What a version was given, and the same as it is now, which stays so until the transaction ends. One that was activated before
 * this was saved has it saved now.
 */
export async function givenAndNow(
  tx: Transaction,
  { workflow_id, version }: Version,
): Promise<{ given: GivenRecord[]; now: GivenRecord[] }> {
  const [row] = await tx<{ trigger: Trigger; steps: WorkflowStep[]; given: GivenRecord[] | null }[]>`
    select trigger, steps, given from workflow_versions
    where workflow_id = ${workflow_id} and version = ${version}`;
  if (!row) return { given: [], now: [] };
  await hold(tx, namesIn(row.trigger, row.steps));
  const now = await marksNow(tx, row.trigger, row.steps);
  if (row.given !== null) return { given: row.given, now };
  await tx`
    update workflow_versions set given = ${tx.json(now)}
    where workflow_id = ${workflow_id} and version = ${version} and given is null`;
  return { given: now, now };
}
