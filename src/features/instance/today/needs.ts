// What needs a person, most valuable first: positive replies, decisions, letters to review, uncertain letters, and letters held
// until someone fixes something.
import type { ReadContext } from '../../../kernel/context.ts';
import { threadNames } from '../../../kernel/messages.ts';
import { erasures, named } from './asked.ts';
import { approvalList } from '../../work/approvals/contract.ts';
import type { AttentionCode } from '../../outreach/campaigns/metrics.contract.ts';
import { heldGroups, lettersWaiting } from '../digests/outreach/letters.store.ts';
import { short } from '../digests/section.ts';
import { type Send, sendList } from '../../outreach/sends/contract.ts';
import { HOLDS, type HoldReason } from '../../outreach/sends/letter/reasons.rules.ts';
import { sendNames } from '../../outreach/sends/send.names.rules.ts';
import { inboxCounts, inboxList } from '../../inbox/threads/contract.ts';
import { heldRuns } from './runs.ts';
import { closedFor, many, row, section } from './section.ts';
import type { TodayRow, TodaySection } from './contract.ts';

/** Of each; the rest is where the section leads. */
const SHOWN = 8;
/** A letter that is longer is read on its own screen before it is approved. */
const LETTER_SHOWN_CHARS = 2_000;

const KINDS: Record<string, string> = {
  work_review: 'is finished and waiting for your review',
  workflow_step: 'is a workflow step that needs approval',
  chat_action: 'was proposed in a chat',
  proposal: 'was proposed for you to sign',
};

export async function needsOf(context: ReadContext): Promise<(TodaySection | null)[]> {
  const READ = 'outreach.send.read';
  const waiting = async (state: string): Promise<number> =>
    (await counted).filter((row) => row.state === state).reduce((sum, { count }) => sum + count, 0);
  const counted = lettersWaiting(context.db, context.caller);
  const letters = async (state: 'review' | 'uncertain', rowOf: (send: Send) => TodayRow) => {
    const [{ items }, count] = await Promise.all([
      context.invoke(sendList, { state, order: 'oldest', limit: SHOWN }),
      waiting(state),
    ]);
    return { rows: items.map(rowOf), count };
  };
  return [
    await section(context, 'positives', 'inbox.thread.read', '/inbox?state=unanswered&reading=positive', () =>
      positives(context),
    ),
    await section(context, 'approvals', 'approval.read', '/approvals', () => approvals(context)),
    await section(context, 'review', READ, '/review', () =>
      letters('review', (send) => review(context, send)),
    ),
    await section(context, 'erasures', 'inbox.thread.read', '/inbox?reading=unsubscribe&state=all', () =>
      erasures(context),
    ),
    await section(context, 'named', 'inbox.thread.read', '/inbox?reading=referral&state=all', () =>
      named(context),
    ),
    await section(context, 'uncertain', READ, '/sends?state=uncertain', () =>
      letters('uncertain', (send) => uncertain(context, send)),
    ),
    await section(context, 'held', READ, '/sends?state=held', () => held(context)),
    await section(context, 'runs', 'run.read', '/workflows', () => heldRuns(context)),
  ];
}

async function approvals(context: ReadContext) {
  const { items, next_cursor } = await context.invoke(approvalList, { limit: 100 });
  // What someone else has to decide is not what needs this person.
  const mine = items.filter(({ can_decide }) => can_decide);
  const rows = mine.slice(0, SHOWN).map((approval) =>
    row({
      key: `approval:${approval.id}`,
      id: approval.id,
      title: short(approval.subject.title, 120),
      says: `${approval.subject.key} ${KINDS[approval.kind] ?? 'is waiting for a decision'}. Requested by ${short(approval.requested_by.name)}.`,
      since: approval.created_at,
      place: `/approvals?open=${approval.id}`,
      act: {
        kind: 'approval',
        closed: approval.why_not,
        revision: approval.subject.revision,
        author: short(approval.requested_by.name),
      },
    }),
  );
  return { rows, count: mine.length, more: next_cursor !== null };
}

async function positives(context: ReadContext) {
  const { items } = await context.invoke(inboxList, {
    state: 'unanswered',
    reading: 'positive',
    limit: SHOWN,
  });
  const { by_reading } = await context.invoke(inboxCounts, {});
  const rows = items.map((thread) =>
    row({
      key: `thread:${thread.id}`,
      id: thread.id,
      code: 'unanswered_positive',
      title: short(thread.person_name ?? 'Unknown person'),
      says: `Replied positively${thread.campaign_name === null ? '' : ` to ${short(thread.campaign_name)}`} and is waiting for your answer.`,
      since: thread.waiting_since,
      place: `/inbox?open=${thread.id}`,
      act: {
        kind: 'thread',
        closed: closedFor(context, 'inbox.thread.write', threadNames(thread)),
        revision: thread.revision,
      },
    }),
  );
  return { rows, count: by_reading['positive'] ?? 0 };
}

const addressee = (send: Send): string => short(send.person_name ?? send.to);
const inCampaign = (send: Send): string =>
  send.campaign_name === null ? '' : ` from ${short(send.campaign_name)}`;

const review = (context: ReadContext, send: Send): TodayRow =>
  row({
    key: `review:${send.id}`,
    id: send.id,
    code: 'review_waiting',
    title: addressee(send),
    says: `A letter${inCampaign(send)} is waiting for review: “${short(send.subject)}”.`,
    since: send.created_at,
    place: `/review?open=${send.id}`,
    act: {
      kind: 'letter',
      closed: closedFor(context, 'outreach.send.approve', sendNames(send)),
      fingerprint: send.fingerprint,
      to: send.to,
      subject: send.subject,
      text: send.text.slice(0, LETTER_SHOWN_CHARS).toWellFormed(),
      whole: send.text.length <= LETTER_SHOWN_CHARS,
    },
  });

const uncertain = (context: ReadContext, send: Send): TodayRow =>
  row({
    key: `uncertain:${send.id}`,
    id: send.id,
    code: 'uncertain_letters',
    title: addressee(send),
    says: `The connection was lost while sending a letter${inCampaign(send)}, so it may or may not have been sent. Check the sent mail of ${short(send.from ?? 'its sender')}.`,
    since: send.updated_at,
    place: `/sends/${send.id}`,
    act: {
      kind: 'uncertain',
      closed: closedFor(context, 'outreach.send.resolve', sendNames(send)),
      to: send.to,
    },
  });

/** Causes that a campaign's overview has a code of its own for. */
const CODES: Partial<Record<HoldReason, AttentionCode>> = {
  unresolved_variable: 'missing_variables',
  review_confirmation_stale: 'review_confirmation_stale',
  window_never_opens: 'window_never_opens',
  no_identity: 'pool_empty',
  identity_inactive: 'identity_inactive',
};

async function held(context: ReadContext) {
  const groups = await heldGroups(context.db, context.caller, {});
  const reasons = [...new Set(groups.map(({ reason }) => reason as HoldReason))];
  const rows = reasons.map((reason) => {
    const all = groups.filter((group) => group.reason === reason);
    const { says, fix, who } = HOLDS[reason];
    return row({
      key: `held:${reason}`,
      id: reason,
      code: CODES[reason] ?? 'held_letters',
      title: `${many(
        all.reduce((sum, { count }) => sum + count, 0),
        'letter is',
        'letters are',
      )} held`,
      says: `${says} ${fix}`,
      since: new Date(Math.min(...all.map(({ oldest }) => oldest.getTime()))).toISOString(),
      who,
      place: `/sends?state=held&reason=${reason}`,
    });
  });
  return { rows: rows.sort((a, b) => (a.since ?? '').localeCompare(b.since ?? '')) };
}
