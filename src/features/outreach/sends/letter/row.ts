// How a letter is in its row: what it says, and what its state machine moves (send.rules.ts).
import type { Caller } from '../../../../kernel/caller.ts';
import { decide } from '../../../../kernel/policy.ts';
import { principalIn, type PrincipalColumns } from '../../../../kernel/principal-row.ts';
import { withoutQuote } from '../../../../mail/letters/quote.ts';
import { reportIn, type ReportRow } from '../../deliveries/report.store.ts';
import { LOOKED_FOR, type Send } from '../contract.ts';
import { mayReadMessage, type Message } from '../../../../kernel/messages.ts';
import { type HoldReason, holdText } from './reasons.rules.ts';
import type { LetterState } from './send.rules.ts';

export type SendRow = LetterState &
  PrincipalColumns<'rewritten_by'> & {
    id: string;
    kind: Send['kind'];
    campaign_id: string | null;
    prospect_id: string | null;
    person_id: string | null;
    step_id: string | null;
    identity_id: string | null;
    subject: string;
    text: string;
    html: string | null;
    to_address: string;
    to_hash: string;
    cc: string[];
    same_thread: boolean;
    message_id: string;
    rewritten_reason: string | null;
    unresolved: string[];
    delivery_report: ReportRow | null;
    revision: number;
    created_at: Date;
    updated_at: Date;
    person_name: string | null;
    campaign_name: string | null;
    from_name: string | null;
    from_address: string | null;
    /** Of the conversation that an answer is in; the letter itself belongs to no campaign. */
    thread_campaign_id: string | null;
    /** Of an uncertain letter: when its copy was last looked for, and its sender's mailbox read. */
    looked: { copy_at: string | null; mail_at: string | null } | null;
    /** The message that is below its own words. */
    quotes: Message | null;
  };

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

/** A name is shown to those alone who may read whom it names. */
const readable = (caller: Caller, action: string, noun: string, id: string | null, name: string | null) =>
  id !== null && decide(caller.rights, action, [`${noun}/${id}`]).allowed ? name : null;

export function toSend(row: SendRow, caller: Caller): Send {
  const held = row.hold_reason && row.held_at;
  const rewriter = principalIn(row, 'rewritten_by');
  const quote_hidden = row.quotes !== null && !mayReadMessage(caller.rights, row.quotes);
  return {
    id: row.id,
    kind: row.kind,
    campaign_id: row.campaign_id,
    prospect_id: row.prospect_id,
    person_id: row.person_id,
    step_id: row.step_id,
    identity_id: row.identity_id,
    state: row.state,
    subject: row.subject,
    text: quote_hidden ? withoutQuote(row.text) : row.text,
    html: quote_hidden ? null : row.html,
    quote_hidden,
    to: row.to_address,
    fingerprint: row.fingerprint,
    message_id: row.message_id,
    scheduled_for: iso(row.scheduled_for),
    not_before: iso(row.not_before),
    waiting_for: row.waiting_for,
    hold: held ? holdShown(row.hold_reason as HoldReason, row.hold_evidence ?? {}, held) : null,
    delivery: row.delivery,
    delivery_report: row.delivery_report && reportIn(row.delivery_report),
    approved_by: principalIn(row, 'approved_by'),
    approved_at: iso(row.approved_at),
    sent_at: iso(row.sent_at),
    looked_for: row.looked && lookedFor(row.looked, row.sending_at),
    revision: row.revision,
    person_name: readable(caller, 'crm.person.read', 'crm:person', row.person_id, row.person_name),
    campaign_name: readable(
      caller,
      'outreach.campaign.read',
      'outreach:campaign',
      row.campaign_id,
      row.campaign_name,
    ),
    from: row.from_address === null ? null : `${row.from_name} <${row.from_address}>`,
    review_reason: row.review_reason,
    note: row.note,
    rewritten: rewriter && { by: rewriter, reason: row.rewritten_reason },
    unresolved: row.unresolved,
    cancel_reason: row.cancel_reason,
    failed_reason: row.failed_reason,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

function lookedFor(
  { copy_at, mail_at }: NonNullable<SendRow['looked']>,
  since: Date | null,
): NonNullable<Send['looked_for']> {
  const at = (said: string | null): string | null => {
    const moment = said === null ? null : new Date(said);
    return moment === null || (since !== null && moment < since) ? null : moment.toISOString();
  };
  return LOOKED_FOR.map((evidence) => ({
    evidence,
    looked_at: at(evidence === 'sent_copy' ? copy_at : mail_at),
  }));
}

const holdShown = (
  reason: HoldReason,
  evidence: Record<string, unknown>,
  since: Date,
): NonNullable<Send['hold']> => {
  const { says, fix, who } = holdText(reason, evidence);
  return { reason, sentence: `${says}${because(reason, evidence)}`, fix, who, since: since.toISOString() };
};

/** What of the evidence a sentence tells. */
export function because(reason: string, evidence: Record<string, unknown>): string {
  const by = String(evidence['reason']).replace('_', ' ');
  if (reason === 'suppressed' && evidence['copy'] === true)
    return ` It is that of a copy, suppressed by ${by}.`;
  if (reason === 'suppressed') return ` It is suppressed by ${by}.`;
  const names = evidence['names'];
  if (reason === 'unresolved_variable' && Array.isArray(names)) return ` It lacks ${names.join(', ')}.`;
  return '';
}
