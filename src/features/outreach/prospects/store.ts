// The loaders of prospects: the only way to have one is through a loader that names the action and the caller.
import { type Caller } from '../../../kernel/caller.ts';
import type { Reader, Transaction } from '../../../kernel/database.ts';
import { denied } from '../../../kernel/denied.ts';
import { decide } from '../../../kernel/policy.ts';
import { knownPrincipalIn, type PrincipalColumns } from '../../../kernel/principal-row.ts';
import { type Refusal, notFound } from '../../../kernel/refusal.ts';
import { allowedBy } from '../../access/policies/named.store.ts';
import type { EndReason, Holder, Prospect, STANDINGS } from './contract.ts';
import { prospectNames } from './names.rules.ts';
import { sendNames } from '../sends/send.names.rules.ts';
import { failedLetter } from './stepping/over.store.ts';
import type { Stage } from './spine/spine.rules.ts';

const loaded = Symbol('loaded');

/** A prospect that its caller may have for the action it was loaded for. */
export type LoadedProspect = Prospect & { readonly [loaded]: true };

type Row = PrincipalColumns<'enrolled_by'> & {
  id: string;
  campaign_id: string;
  campaign_name: string;
  person_id: string | null;
  person_name: string | null;
  stage: Stage;
  stage_at: Date;
  identity_id: string | null;
  step_id: string | null;
  due_at: Date | null;
  hold_by: Holder | null;
  hold_reason: string | null;
  hold_until: Date | null;
  held_at: Date | null;
  ended: EndReason | null;
  item_id: string | null;
  failed_send_id: string | null;
  created_at: Date;
};

const prospects = (db: Reader) => db`
  select p.id, p.campaign_id, (select c.name from campaigns c where c.id = p.campaign_id) as campaign_name, p.person_id,
    (select x.name from people x where x.id = p.person_id) as person_name, p.stage, p.stage_at, p.identity_id, p.step_id,
    p.due_at, p.hold_by, p.hold_reason, p.hold_until, p.held_at, p.ended, p.item_id, ${failedLetter(db)} as failed_send_id, p.enrolled_by_kind, p.enrolled_by_id,
    p.enrolled_by_name, p.enrolled_by_on_behalf_of, p.created_at
  from prospects p`;

const noProspect = (): Refusal =>
  notFound('prospect', 'GET /api/admin/outreach/campaigns/:campaign/prospects lists a campaign’s prospects');

const allows = (caller: Caller, action: string, of: { id: string; campaign_id: string }): boolean =>
  decide(caller.rights, action, prospectNames(of)).allowed;

/** For `where`, of `prospects p`: those for which the caller's policies allow the action. */
export const readable = (db: Reader, { rights }: Caller, action: string) =>
  allowedBy(db, rights, action, {
    'outreach:prospect/': db`p.id`,
    'outreach:campaign/': db`p.campaign_id`,
  }) ?? db`true`;

const mayRead = (caller: Caller, id: string, campaign_id: string): boolean =>
  decide(caller.rights, 'outreach.send.read', sendNames({ id, campaign_id })).allowed;

function toLoaded(row: Row, caller: Caller, now: Date): LoadedProspect {
  const mayName =
    row.person_id !== null &&
    decide(caller.rights, 'crm.person.read', [`crm:person/${row.person_id}`]).allowed;
  const held = row.hold_by !== null && (row.hold_until === null || row.hold_until > now);
  return {
    id: row.id,
    campaign_id: row.campaign_id,
    campaign_name: row.campaign_name,
    person_id: row.person_id,
    person_name: mayName && row.person_name !== '' ? row.person_name : null,
    stage: row.stage,
    stage_at: row.stage_at.toISOString(),
    identity_id: row.identity_id,
    step_id: row.step_id,
    next_at: row.due_at?.toISOString() ?? null,
    hold:
      held && row.hold_by
        ? {
            by: row.hold_by,
            reason: row.hold_reason ?? '',
            until: row.hold_until?.toISOString() ?? null,
            since: (row.held_at ?? now).toISOString(),
          }
        : null,
    ended: row.ended,
    failed_send_id:
      row.failed_send_id !== null && mayRead(caller, row.failed_send_id, row.campaign_id)
        ? row.failed_send_id
        : null,
    item_id: row.item_id,
    enrolled_by: knownPrincipalIn(row, 'enrolled_by'),
    created_at: row.created_at.toISOString(),
    [loaded]: true,
  };
}

function found(caller: Caller, action: string, row: Row | undefined, now: Date): LoadedProspect {
  if (!row) throw noProspect();
  if (!allows(caller, action, row))
    throw allows(caller, 'outreach.prospect.read', row)
      ? denied(caller, action, prospectNames(row)[0])
      : noProspect();
  return toLoaded(row, caller, now);
}

/** Whoever may not even read it is not told that it is there. */
export async function loadProspect(
  db: Reader,
  caller: Caller,
  action: string,
  id: string,
  now: Date,
): Promise<LoadedProspect> {
  const [row] = await db<Row[]>`${prospects(db)} where p.id = ${id}`;
  return found(caller, action, row, now);
}

export async function lockProspect(
  tx: Transaction,
  caller: Caller,
  action: string,
  id: string,
  now: Date,
): Promise<LoadedProspect> {
  await tx`select from prospects where id = ${id} for no key update`;
  return loadProspect(tx, caller, action, id, now);
}

/** Named by campaign and person. */
export async function loadProspectOf(
  db: Reader,
  caller: Caller,
  action: string,
  { campaign_id, person_id }: { campaign_id: string; person_id: string },
  now: Date,
): Promise<LoadedProspect> {
  const [row] = await db<
    Row[]
  >`${prospects(db)} where p.campaign_id = ${campaign_id} and p.person_id = ${person_id}`;
  return found(caller, action, row, now);
}

/** As an act that was allowed has left it. */
export async function readAgain(db: Reader, caller: Caller, id: string, now: Date): Promise<LoadedProspect> {
  const [row] = await db<Row[]>`${prospects(db)} where p.id = ${id}`;
  if (!row) throw new Error('a prospect that was just written is gone');
  return toLoaded(row, caller, now);
}

export type ProspectSearch = {
  campaign_id: string;
  stage?: Stage | undefined;
  standing?: (typeof STANDINGS)[number] | undefined;
  person?: string | undefined;
  after: string | null;
  count: number;
};

/** In the order of their enrolment, for whoever was given the campaign, as if those that policies deny were not there. */
export async function listProspects(
  db: Reader,
  caller: Caller,
  { campaign_id, stage, standing, person, after, count }: ProspectSearch,
  now: Date,
): Promise<LoadedProspect[]> {
  const stands = {
    going: () =>
      db`and (p.step_id is not null or p.next_at is not null) and (p.hold_by is null or p.hold_until <= ${now})`,
    on_hold: () =>
      db`and p.hold_by is not null and (p.hold_until is null or p.hold_until > ${now}) and p.ended is null`,
    ended: () => db`and p.ended is not null`,
    through: () => db`and p.step_id is null and p.next_at is null and p.ended is null`,
  };
  const rows = await db<Row[]>`
    ${prospects(db)} where p.campaign_id = ${campaign_id} and ${readable(db, caller, 'outreach.prospect.read')}
      ${stage === undefined ? db`` : db`and p.stage = ${stage}`}
      ${standing === undefined ? db`` : stands[standing]()}
      ${person === undefined ? db`` : db`and p.person_id = ${person}`}
      ${after === null ? db`` : db`and p.id > ${after}`}
    order by p.id limit ${count}`;
  return rows.map((row) => toLoaded(row, caller, now));
}
