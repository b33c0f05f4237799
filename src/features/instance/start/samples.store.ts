// All SQL of what is marked as made up, and of taking it away again with everything that came to hang on it.
import type { Reader, Transaction } from '../../../kernel/database.ts';
import { texts, type Plan, type Table } from './plan.ts';

/** Tables whose rows are marked; rows of every other hang on one of these. */
const MARKED = [
  'postal_addresses',
  'domains',
  'identities',
  'companies',
  'people',
  'campaigns',
  'threads',
  'suppressions',
  'deals',
  'work_projects',
  'event_deliveries',
] as const satisfies readonly Table[];
type Marked = (typeof MARKED)[number];

/** Two who ask at once wait for each other. */
export async function takeSamplesTurn(tx: Transaction): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('samples', 0))`;
}

export async function samplesStand(db: Reader | Transaction): Promise<boolean> {
  const [row] = await db<{ stand: boolean }[]>`select exists (select from samples) as stand`;
  return row?.stand ?? false;
}

export async function markSamples(tx: Transaction, plan: Plan): Promise<void> {
  for (const kind of MARKED) {
    const ids = texts(plan.rows, kind, 'id');
    if (ids.length > 0) await tx`insert into samples (kind, id) select ${kind}, unnest(${ids}::uuid[])`;
  }
  // Made before they were marked: no one is told of what is made up.
  await tx`
    delete from notice_events e where exists (select from samples s where s.id = e.subject_id)
      or exists (select from work_items i join samples s on s.id = i.project_id where i.id = e.subject_id)`;
}

/**
 * Removes what is marked, edited or not, and whatever leans on it: letters of its campaigns and people, conversations, cards of
 * its project. What real rows said of it (a company, a postal address, a campaign) is emptied.
 */
export async function removeSamples(tx: Transaction): Promise<void> {
  const marked = await tx<{ kind: Marked; ids: string[] }[]>`
    select kind, array_agg(id) as ids from samples group by kind`;
  const of = (kind: Marked): string[] => marked.find((each) => each.kind === kind)?.ids ?? [];
  const [campaigns, people] = [of('campaigns'), of('people')];
  // Whoever added a sender to the made-up domain made that up as well.
  const identities = await idsOf(
    tx`select id from identities where domain_id = any(${of('domains')}::uuid[])`,
  );
  const prospects = await idsOf(tx`
    select id from prospects where campaign_id = any(${campaigns}::uuid[]) or person_id = any(${people}::uuid[])`);
  const threads = await idsOf(tx`
    select id from threads where kind = 'conversation' and (id = any(${of('threads')}::uuid[])
      or campaign_id = any(${campaigns}::uuid[]) or identity_id = any(${identities}::uuid[])
      or person_id = any(${people}::uuid[]))`);
  const sends = await idsOf(tx`
    select id from sends where campaign_id = any(${campaigns}::uuid[]) or prospect_id = any(${prospects}::uuid[])
      or person_id = any(${people}::uuid[]) or identity_id = any(${identities}::uuid[])
      or thread_id = any(${threads}::uuid[])`);
  await removeConversations(tx, threads, sends, { campaigns, identities });
  await tx`delete from prospects where id = any(${prospects}::uuid[])`;
  await removeOutreach(tx, { campaigns, identities, domains: of('domains'), postal: of('postal_addresses') });
  await tx`delete from deals where id = any(${of('deals')}::uuid[])`;
  await tx`delete from person_merges where from_id = any(${people}::uuid[]) or into_id = any(${people}::uuid[])`;
  await tx`delete from people where id = any(${people}::uuid[])`;
  await tx`delete from companies where id = any(${of('companies')}::uuid[])`;
  await tx`delete from suppressions where id = any(${of('suppressions')}::uuid[])`;
  await removeBoard(tx, of('work_projects'));
  await tx`delete from event_deliveries where id = any(${of('event_deliveries')}::uuid[])`;
  await tx`delete from samples`;
}

async function removeConversations(
  tx: Transaction,
  threads: string[],
  sends: string[],
  { campaigns, identities }: { campaigns: string[]; identities: string[] },
): Promise<void> {
  const touches = await idsOf(tx`
    select id from touches where thread_id = any(${threads}::uuid[]) or send_id = any(${sends}::uuid[])
      or campaign_id = any(${campaigns}::uuid[]) or identity_id = any(${identities}::uuid[])`);
  await tx`delete from answers where thread_id = any(${threads}::uuid[]) or send_id = any(${sends}::uuid[])`;
  await tx`update answers set answers_touch = null where answers_touch = any(${touches}::uuid[])`;
  await tx`update sends set quotes_touch = null where quotes_touch = any(${touches}::uuid[])`;
  await tx`update inbound_mails set touch_id = null where touch_id = any(${touches}::uuid[])`;
  await tx`delete from touches where id = any(${touches}::uuid[])`;
  await tx`
    delete from send_outcomes where send_id = any(${sends}::uuid[]) or identity_id = any(${identities}::uuid[])`;
  await tx`delete from sends where id = any(${sends}::uuid[])`;
  await tx`update threads set merged_into = null where merged_into = any(${threads}::uuid[])`;
  await tx`delete from threads where id = any(${threads}::uuid[])`;
}

type Outreach = { campaigns: string[]; identities: string[]; domains: string[]; postal: string[] };

async function removeOutreach(
  tx: Transaction,
  { campaigns, identities, domains, postal }: Outreach,
): Promise<void> {
  const all = [...campaigns, ...identities, ...domains];
  await tx`delete from letters_started where scope_id = any(${all}::uuid[])`;
  await tx`delete from warden_looks where subject_id = any(${all}::uuid[])`;
  await tx`delete from letters_to_remake where of_id = any(${all}::uuid[])`;
  await tx`update forms set campaign_id = null where campaign_id = any(${campaigns}::uuid[])`;
  await tx`update forms set identity_id = null where identity_id = any(${identities}::uuid[])`;
  await tx`
    update deals set campaign_id = null, prospect_id = null, thread_id = null
    where campaign_id = any(${campaigns}::uuid[])`;
  await tx`delete from campaign_identities where identity_id = any(${identities}::uuid[])`;
  await tx`delete from campaigns where id = any(${campaigns}::uuid[])`;
  await tx`update campaigns set postal_address_id = null where postal_address_id = any(${postal}::uuid[])`;
  await tx`update prospects set identity_id = null where identity_id = any(${identities}::uuid[])`;
  await tx`delete from inbound_mails where identity_id = any(${identities}::uuid[])`;
  await tx`delete from identities where id = any(${identities}::uuid[])`;
  await tx`delete from domains where id = any(${domains}::uuid[])`;
  await tx`delete from postal_addresses where id = any(${postal}::uuid[])`;
}

async function removeBoard(tx: Transaction, projects: string[]): Promise<void> {
  await tx`delete from work_items where project_id = any(${projects}::uuid[])`;
  await tx`delete from approvals where project_id = any(${projects}::uuid[]) and kind = 'work_review'`;
  await tx`update approvals set project_id = null where project_id = any(${projects}::uuid[])`;
  await tx`delete from work_projects where id = any(${projects}::uuid[])`;
}

const idsOf = async (rows: PromiseLike<readonly { [column: string]: unknown }[]>): Promise<string[]> =>
  (await rows).map(({ id }) => String(id));
