// The digest that a session begins with: what waits for a person, what is broken, what changed. Every section is its own
// feature's, and asks for its own right.
import { bind, type ReadContext } from '../../../../kernel/context.ts';
import { screenUrl } from '../../../../kernel/links.rules.ts';
import { quarantineList } from '../../../inbox/inbound/contract.ts';
import { campaignList } from '../../../outreach/campaigns/contract.ts';
import { identityTest } from '../../../outreach/identities/acts.contract.ts';
import { sendList, sendRead } from '../../../outreach/sends/contract.ts';
import { sendsApprove, sendsResolve } from '../../../outreach/sends/moves.contract.ts';
import { vendorWebhookRegister } from '../../../outreach/vendors/contract.ts';
import { approvalDecide } from '../../../work/approvals/contract.ts';
import { itemList } from '../../../work/work/items.contract.ts';
import { eventsRedeliver } from '../../events/deliveries.contract.ts';
import { instanceDigest } from '../contract.ts';
import { campaignDigest, heldDigest, sendingDigest } from '../outreach.contract.ts';
import { dealsDigest, repliesDigest, threadDigest } from '../people.contract.ts';
import { brokenOf } from './broken.ts';
import { changedIn } from './changed.ts';
import type { Proposals } from '../next.ts';
import { framed, within } from '../section.ts';
import { before, spanOf, spoken } from '../span.ts';
import { decidedIn } from './decided.ts';
import { waitingOf } from './waiting.ts';

export const instance = bind(instanceDigest, async (context, { since, until, compare }) => {
  const span = spanOf({ since, until }, context.now, 1);
  const waiting = await waitingOf(context, span);
  const broken = await brokenOf(context);
  const changed = await changedIn(context, span);
  const earlier = before(span);
  const previous = compare && {
    previous: { ...spoken(earlier, context.now), ...(await changedIn(context, earlier)) },
  };
  return framed(
    context,
    {
      ...spoken(span, context.now),
      decided: await decidedIn(context, span),
      waiting,
      broken,
      changed: { ...changed, ...previous },
    },
    [...brokenFirst(context, broken), ...waitingNext(context, waiting), ...LOOK],
  );
});

type Waiting = Awaited<ReturnType<typeof waitingOf>>;
type Broken = Awaited<ReturnType<typeof brokenOf>>;

function brokenFirst({ app }: ReadContext, broken: Broken): Proposals {
  const [campaign] = within(broken.campaigns, ({ lines }) => lines, []);
  const [identity] = within(broken.identities, ({ lines }) => lines, []);
  const [event] = within(broken.events, ({ lines }) => lines, []);
  const [vendor] = within(broken.vendors, ({ lines }) => lines.filter(({ key_set }) => key_set), []);
  return [
    within(broken.domains, ({ count }) => count > 0, false) && {
      what: 'See the problems of the sending domains.',
      does: sendingDigest,
      tool: 'sending_digest',
      with: {},
    },
    campaign && {
      what: 'See why a campaign is paused.',
      does: campaignDigest,
      tool: 'campaign_digest',
      with: { campaign: campaign.campaign_id },
    },
    identity && {
      what: 'Test a sending identity again.',
      does: identityTest,
      with: { identity: identity.identity_id },
    },
    event && {
      what: 'Send a failed event again.',
      does: eventsRedeliver,
      with: { id: event.delivery_id },
    },
    vendor && {
      what: 'Register the vendor webhook to get delivery reports.',
      does: vendorWebhookRegister,
      tool: 'webhook_register',
      with: { provider: vendor.provider },
      sign_at: screenUrl(app.instance, 'integrations'),
    },
    within(broken.quarantine, ({ count }) => count > 0, false) && {
      what: 'List email without a conversation, to assign it.',
      does: quarantineList,
      with: {},
    },
  ];
}

function waitingNext({ app }: ReadContext, waiting: Waiting): Proposals {
  const [approval] = within(waiting.approvals, ({ lines }) => lines, []);
  const [returned] = within(
    waiting.returned,
    ({ lines }) => lines.filter(({ outcome }) => outcome === 'returned'),
    [],
  );
  const [draft] = within(waiting.drafts, ({ lines }) => lines, []);
  const letters = (state: 'review' | 'held' | 'uncertain'): number =>
    within(waiting.letters, (found) => found[state], 0);
  return [
    letters('uncertain') > 0 && {
      what: 'Mark each uncertain letter as sent or not sent.',
      does: sendsResolve,
      with: {},
      sign_at: screenUrl(app.instance, 'letters'),
    },
    within(waiting.unanswered, ({ unanswered }) => unanswered > 0, false) && {
      what: 'See who is waiting for an answer.',
      does: repliesDigest,
      tool: 'replies_digest',
      with: {},
    },
    // The conversation says whether it may still be sent: they may have written again, or opted out.
    draft && {
      what: 'Read the conversation with the oldest drafted answer.',
      does: threadDigest,
      tool: 'thread_digest',
      with: { thread_id: draft.thread_id },
      open_at: screenUrl(app.instance, 'thread', draft.thread_id),
    },
    approval && {
      what: 'Decide the oldest approval.',
      does: approvalDecide,
      with: { approval: approval.approval_id },
      sign_at: approval.sign_at,
    },
    returned && {
      what: 'Read the letter that was returned last, and rewrite it with letter_draft.',
      does: sendRead,
      with: { send: returned.send_id },
    },
    letters('review') > 0 && {
      what: 'Read letters waiting for review; letter_draft rewrites one.',
      does: sendList,
      with: { state: 'review', limit: 3 },
    },
    letters('review') > 0 && {
      what: 'Approve letters waiting for review.',
      does: sendsApprove,
      with: {},
      sign_at: screenUrl(app.instance, 'review'),
    },
    letters('held') > 0 && {
      what: 'See why letters are held and who can release them.',
      does: heldDigest,
      tool: 'held_digest',
      with: {},
    },
    within(waiting.overdue, ({ count }) => count > 0, false) && {
      what: 'List overdue work items.',
      does: itemList,
      with: { overdue: true },
    },
    within(waiting.stale_deals, ({ count }) => count > 0, false) && {
      what: 'See the deals that no one has touched.',
      does: dealsDigest,
      tool: 'deals_digest',
      with: {},
    },
  ];
}

const LOOK: Proposals = [
  { what: 'Compare active campaigns.', does: campaignList, with: { state: 'active' } },
  { what: 'Find a work item and claim it.', does: itemList, tool: 'work_search', with: { status: 'todo' } },
];
