// The loaders of letters: the only way to have one is through a loader that names the action and the caller. What writes one
// (save.store.ts) takes the loaded row, never an id.
import { type Caller } from '../../../../kernel/caller.ts';
import type { Reader, Transaction } from '../../../../kernel/database.ts';
import { denied } from '../../../../kernel/denied.ts';
import { decide } from '../../../../kernel/policy.ts';
import { type Refusal, notFound } from '../../../../kernel/refusal.ts';
import { lastReport } from '../../deliveries/report.store.ts';
import { allowedBy } from '../../../access/policies/named.store.ts';
import { messageNamed } from './quoted.store.ts';
import type { HoldReason } from './reasons.rules.ts';
import type { SendRow } from './row.ts';
import { sendNames } from '../send.names.rules.ts';
import type { SendState } from './transitions.rules.ts';

const loaded = Symbol('loaded');

/** A letter that its caller may have for the action it was loaded for. */
export type LoadedSend = SendRow & { readonly [loaded]: true };

export const noSend = (): Refusal => notFound('letter', 'GET /api/admin/outreach/sends lists letters');

export const maySend = (
  caller: Caller,
  action: string,
  row: { id: string; campaign_id: string | null },
): boolean => decide(caller.rights, action, sendNames(row)).allowed;

/** Of `sends s`, of which no more are there than will be shown. */
const columns = (db: Reader) => db`
  s.id, s.kind, s.campaign_id, s.prospect_id, s.person_id, s.step_id, s.identity_id, s.state, s.subject, s.text, s.html,
  s.to_address, s.to_hash, s.cc, s.same_thread, s.message_id, s.fingerprint, s.rewritten_by_kind, s.rewritten_by_id,
  s.rewritten_by_name, s.rewritten_by_on_behalf_of, s.rewritten_reason, s.unresolved, s.review_reason, s.note,
  s.approved_by_kind, s.approved_by_id, s.approved_by_name, s.approved_by_on_behalf_of, s.approved_at,
  s.approved_fingerprint, s.approved_token, s.scheduled_for, s.not_before, s.waiting_for, s.hold_reason, s.hold_evidence,
  s.held_at, s.hold_told, s.recheck_at, s.cancel_reason, s.failed_reason, s.delivery, s.sending_at, s.sent_at, s.resent_at, s.revision,
  s.created_at, s.updated_at, ${lastReport(db)} as delivery_report,
  (select p.name from people p where p.id = s.person_id) as person_name,
  (select c.name from campaigns c where c.id = s.campaign_id) as campaign_name,
  (select i.name from identities i where i.id = s.identity_id) as from_name,
  (select i.address from identities i where i.id = s.identity_id) as from_address,
  (select t.campaign_id from threads t where t.id = s.thread_id) as thread_campaign_id,
  case when s.state = 'uncertain' then jsonb_build_object(
    'copy_at', (select c.looked_at from sent_copies c where c.send_id = s.id),
    'mail_at', (select m.polled_at from mailboxes m where m.identity_id = s.identity_id and m.role = 'inbox')) end as looked,
  ${messageNamed(db, db`s.quotes_touch`)} as quotes`;

/** Rows for the app's own work, which asks for no one; in the order of their ids. */
export const sendRows = (db: Reader, ids: readonly string[]): Promise<SendRow[]> =>
  db<SendRow[]>`select ${columns(db)} from sends s where s.id = any(${[...ids]}::uuid[]) order by s.id`;

/** The same, kept as they are until this transaction is over. Locked in one order, always. */
export async function lockRows(tx: Transaction, ids: readonly string[]): Promise<SendRow[]> {
  await tx`select 1 from sends where id = any(${[...ids]}::uuid[]) order by id for update`;
  return sendRows(tx, ids);
}

/** Whoever may not even read it is not told that it is there. */
function guarded(row: SendRow | undefined, caller: Caller, action: string): LoadedSend {
  if (!row) throw noSend();
  if (!maySend(caller, action, row))
    throw maySend(caller, 'outreach.send.read', row)
      ? denied(caller, action, `outreach:send/${row.id}`)
      : noSend();
  return { ...row, [loaded]: true };
}

export async function loadSend(db: Reader, caller: Caller, action: string, id: string): Promise<LoadedSend> {
  const [row] = await sendRows(db, [id]);
  return guarded(row, caller, action);
}

/** Loads a letter and keeps everyone else from changing it until this act is over. */
export async function lockSend(
  tx: Transaction,
  caller: Caller,
  action: string,
  id: string,
): Promise<LoadedSend> {
  const [row] = await lockRows(tx, [id]);
  return guarded(row, caller, action);
}

/** The same for many at once; what is not there, or not for this caller, comes back as its refusal. */
export async function lockSends(
  tx: Transaction,
  caller: Caller,
  action: string,
  ids: readonly string[],
): Promise<Map<string, LoadedSend | Refusal>> {
  const rows = new Map((await lockRows(tx, ids)).map((row) => [row.id, row]));
  return new Map(ids.map((id) => [id, orRefusal(() => guarded(rows.get(id), caller, action))]));
}

function orRefusal(load: () => LoadedSend): LoadedSend | Refusal {
  try {
    return load();
  } catch (error) {
    return error as Refusal;
  }
}

/** The letter of a prospect's step that was not called off. */
export async function letterOfStep(
  db: Reader,
  campaign: string,
  person: string,
  step: string | number,
): Promise<string | null> {
  const [row] = await db<{ id: string }[]>`
    select s.id from prospects p join sends s on s.prospect_id = p.id and s.state <> 'cancelled'
    join sequence_steps st on st.id = s.step_id
    where p.campaign_id = ${campaign} and p.person_id = ${person}
      and ${typeof step === 'number' ? db`st.position = ${step} and st.removed_at is null` : db`st.id = ${step}`}`;
  return row?.id ?? null;
}

export type LetterSearch = {
  state?: SendState | undefined;
  campaign?: string | undefined;
  identity?: string | undefined;
  person?: string | undefined;
  prospect?: string | undefined;
  reason?: HoldReason | undefined;
  returned?: boolean | undefined;
  since?: string | undefined;
  until?: string | undefined;
  order: 'newest' | 'oldest';
  /** (created_at, id) of the last row of the page before. */
  after: readonly [string, string] | null;
  count: number;
};

/** For `where`, of `sends s`: those for which the caller's policies allow the action. */
export const readable = (db: Reader, { rights }: Caller, action: string) =>
  allowedBy(db, rights, action, { 'outreach:send/': db`s.id`, 'outreach:campaign/': db`s.campaign_id` }) ??
  db`true`;

/** Of `sends s`: a review sent it back and no one has rewritten it, or rejected it. */
const wasReturned = (db: Reader) => db`
  (s.state = 'drafted' and s.note is not null or s.state = 'cancelled' and s.cancel_reason = 'rejected')`;

/** As if those that the caller's policies deny were not there. */
export async function searchSends(
  db: Reader,
  caller: Caller,
  {
    state,
    campaign,
    identity,
    person,
    prospect,
    reason,
    returned,
    since,
    until,
    order,
    after,
    count,
  }: LetterSearch,
): Promise<SendRow[]> {
  const by = order === 'oldest' ? db`s.created_at, s.id` : db`s.created_at desc, s.id desc`;
  const beyond = order === 'oldest' ? db`>` : db`<`;
  return await db<SendRow[]>`
    select ${columns(db)} from (
      select * from sends s where ${readable(db, caller, 'outreach.send.read')}
        ${state === undefined ? db`` : db`and s.state = ${state}`}
        ${campaign === undefined ? db`` : db`and s.campaign_id = ${campaign}`}
        ${identity === undefined ? db`` : db`and s.identity_id = ${identity}`}
        ${person === undefined ? db`` : db`and s.person_id = ${person}`}
        ${prospect === undefined ? db`` : db`and s.prospect_id = ${prospect}`}
        ${reason === undefined ? db`` : db`and s.state = 'held' and s.hold_reason = ${reason}`}
        ${returned ? db`and ${wasReturned(db)}` : db``} ${returned === false ? db`and not ${wasReturned(db)}` : db``}
        ${since === undefined ? db`` : db`and s.updated_at >= ${since}::timestamptz`}
        ${until === undefined ? db`` : db`and s.updated_at < ${until}::timestamptz`}
        ${after === null ? db`` : db`and (s.created_at, s.id) ${beyond} (${after[0]}::timestamptz, ${after[1]}::uuid)`}
      order by ${by} limit ${count}
    ) s order by ${by}`;
}
