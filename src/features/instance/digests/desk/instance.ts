// The digest that a session begins with: what waits for a person, what is broken, what changed. Every section is its own
// feature's, and asks for its own right.
import { bind } from '../../../../kernel/context.ts';
import { instanceDigest } from '../contract.ts';
import { brokenOf } from './broken.ts';
import { changedOf } from './changed.ts';
import type { Next } from '../frame.contract.ts';
import { framed, isShown } from '../section.ts';
import { sinceOf } from '../since.ts';
import { waitingOf } from './waiting.ts';

const O = '/api/admin/outreach';

export const instance = bind(instanceDigest, async (context, { since: said }) => {
  const since = sinceOf(said, context.now, 1);
  const waiting = await waitingOf(context);
  const broken = await brokenOf(context);
  const changed = await changedOf(context, since);
  const { approvals, letters, unanswered } = waiting;
  const next: (Next | false)[] = [
    isShown(broken.domains) &&
      broken.domains.count > 0 && {
        what: 'See the problems of the sending domains.',
        with: 'sending_digest {}',
        who: 'agent',
      },
    isShown(broken.campaigns) &&
      broken.campaigns.count > 0 && {
        what: 'See why a campaign stopped automatically.',
        with: `campaign_digest {"campaign": "${broken.campaigns.lines[0]?.campaign_id}"}`,
        who: 'agent',
      },
    isShown(letters) &&
      letters.uncertain > 0 && {
        what: 'Mark each uncertain letter as sent or not sent.',
        with: `POST ${O}/sends/resolve`,
        who: 'person',
      },
    isShown(unanswered) &&
      unanswered.unanswered > 0 && {
        what: 'See who is waiting for an answer, and draft it.',
        with: 'replies_digest {}',
        who: 'agent',
      },
    isShown(approvals) &&
      approvals.count > 0 && {
        what: 'Decide what is parked.',
        with: 'POST /api/approvals/:approval/decide',
        who: 'person',
      },
    isShown(letters) &&
      letters.review > 0 && {
        what: 'Read letters waiting for review; letter_draft rewrites one.',
        with: `GET ${O}/sends {"state": "review", "limit": 3}`,
        who: 'agent',
      },
    isShown(letters) &&
      letters.review > 0 && {
        what: 'Approve letters waiting for review.',
        with: `POST ${O}/sends/approve`,
        who: 'wire',
      },
    isShown(letters) &&
      letters.held > 0 && {
        what: 'See why letters are held and who can release them.',
        with: 'held_digest {}',
        who: 'agent',
      },
    isShown(broken.identities) &&
      broken.identities.count > 0 && {
        what: 'Test a sending identity again.',
        with: `POST ${O}/identities/:identity/test`,
        who: 'agent',
      },
    isShown(broken.events) &&
      broken.events.count > 0 && {
        what: 'Send a failed event again.',
        with: 'POST /api/admin/events/:id/redeliver',
        who: 'agent',
      },
    isShown(broken.vendors) &&
      broken.vendors.count > 0 && {
        what: 'Register the vendor webhook to get delivery reports.',
        with: 'webhook_register {"provider": …}',
        who: 'wire',
      },
    isShown(broken.quarantine) &&
      broken.quarantine.count > 0 && {
        what: 'Assign email without a conversation.',
        with: `GET ${O}/quarantine`,
        who: 'agent',
      },
    { what: 'Compare campaigns.', with: `GET ${O}/campaigns {"state": "active"}`, who: 'agent' },
    {
      what: 'Find a work item and claim it.',
      with: 'work_search {"status": "todo"}',
      who: 'agent',
    },
  ];
  return framed(
    context,
    { since: since.toISOString(), waiting, broken, changed },
    next.filter((each) => each !== false),
  );
});
