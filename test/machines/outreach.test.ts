// Every act of campaigns, of people in campaigns and of approvals, done to a row in every state by the one file that writes that
// state: it leads where the specification says, and leaves the row as its table says. Where nothing may happen, it is as it was.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe } from 'vitest';
import { REACHED } from '../../src/kernel/metrics.rules.ts';
import { CAMPAIGN } from '../../src/features/outreach/campaigns/running/campaign-states.rules.ts';
import * as campaigns from '../../src/features/outreach/campaigns/running/campaign-states.store.ts';
import { PROSPECT } from '../../src/features/outreach/prospects/spine/spine.rules.ts';
import * as prospects from '../../src/features/outreach/prospects/spine/prospect-states.store.ts';
import { APPROVAL } from '../../src/features/work/approvals/approval-states.rules.ts';
import * as approvals from '../../src/features/work/approvals/approval-states.store.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { aCampaign, aDesk, enrolled, somebody, type TestCampaign } from '../support/letters.ts';
import { ADMIN } from '../support/plans.ts';
import { type Act, ADA, AT, by, type Case, insert, replays } from './replay.ts';

let app: TestApp;
let campaign: TestCampaign;
beforeAll(async () => {
  app = await openTestApp();
  campaign = await aCampaign(app, await aDesk(app));
});
afterAll(() => app?.close());

function ofCampaigns(): Case {
  const row =
    (state: string, more: Record<string, unknown> = {}) =>
    async () =>
      insert(app, 'campaigns', {
        name: 'One',
        name_key: randomUUID(),
        state,
        timezone: 'UTC',
        sequence_revision: 3,
        eased: ['daily_cap'],
        agreed: app.sql.json({ daily_cap: 5 }),
        ...(state === 'draft' ? {} : { activated_at: AT, ...by('activated_by') }),
        ...by('created_by'),
        created_at: AT,
        updated_at: AT,
        ...more,
      });
  return {
    machine: CAMPAIGN,
    rows: {
      draft: row('draft'),
      active: row('active'),
      paused: row('paused', { paused_reason: 'person', paused_at: AT }),
      finished: row('finished'),
      archived: row('archived'),
    },
    acts: {
      activate: {
        given: { ...by('activated_by'), activated_token: null, agreed: {} },
        does: ({ tx, row: loaded, now }) => campaigns.activateCampaign(tx, loaded as never, ADMIN, now),
      },
      pause: {
        given: { reason: 'agent' },
        does: ({ tx, row: { id }, now }) => campaigns.pauseCampaign(tx, id, 'agent', ADA, now),
      },
      finish: {
        given: {},
        does: ({ tx, row: { id }, now }) => campaigns.finishCampaign(tx, id, ADA, now),
      },
      archive: {
        given: {},
        does: ({ tx, row: loaded, now }) => campaigns.archiveCampaign(tx, loaded as never, { by: ADA, now }),
      },
    },
    leads: {
      activate: { draft: 'active', paused: 'active', finished: 'active' },
      pause: { active: 'paused' },
      finish: { active: 'finished' },
      archive: { draft: 'archived', paused: 'archived', finished: 'archived' },
    },
  };
}
describe('campaigns', () => replays(() => app, ofCampaigns()));

function ofApprovals(): Case {
  const row = (state: string) => async () =>
    insert(app, 'approvals', {
      kind: 'chat_action',
      subject_kind: 'action',
      subject_id: randomUUID(),
      subject_key: 'one',
      subject_title: 'One',
      subject_revision: 2,
      ...by('requested_by'),
      ...by('author', { kind: 'agent', id: 'a', name: 'Bee' }),
      state,
      ...(state === 'pending' ? {} : { ...by('decided_by'), decided_at: AT, note: 'no' }),
      created_at: AT,
    });
  const given = by('decided_by');
  const decide = (decision: 'approve' | 'return' | 'reject', note: string | null): Act => ({
    given: { ...given, note },
    does: ({ tx, row: { id }, now }) =>
      approvals.decideApproval(tx, { id, subject: { revision: 2 } }, decision, note ?? undefined, ADA, now),
  });
  const close = (act: 'withdraw' | 'supersede'): Act => ({
    given,
    does: ({ tx, row: { subject_id }, now }) =>
      approvals.closeApproval(tx, subject_id as string, act, ADA, now),
  });
  const states = ['pending', 'approved', 'returned', 'rejected', 'withdrawn', 'superseded'];
  return {
    machine: APPROVAL,
    rows: Object.fromEntries(states.map((state) => [state, row(state)])),
    acts: {
      approve: decide('approve', null),
      return: decide('return', 'say why'),
      reject: decide('reject', 'say why'),
      withdraw: close('withdraw'),
      supersede: close('supersede'),
    },
    leads: {
      approve: { pending: 'approved' },
      return: { pending: 'returned' },
      reject: { pending: 'rejected' },
      withdraw: { pending: 'withdrawn' },
      supersede: { pending: 'superseded' },
    },
  };
}
describe('approvals', () => replays(() => app, ofApprovals()));

function ofProspects(): Case {
  const order = ['enrolled', 'contacted', 'bounced', 'replied', 'declined', 'positive', 'meeting', 'won'];
  const spine = [...order, 'unsubscribed'] as const;
  const row = (stage: string, ended: string | null) => async () => {
    const id = await enrolled(app, campaign, await somebody(app));
    await app.sql`
      update prospects set stage = ${stage}, stage_at = ${AT}, ended = ${ended}, ended_at = ${ended && AT} where id = ${id}`;
    return id;
  };
  const over = (stage: string): string => `${stage}, over`;
  const below = (stage: string) => spine.slice(0, spine.indexOf(stage));
  const forward = spine.slice(1);
  const at = new Date('2026-03-02T08:00:00.000Z');
  const both = (stages: readonly string[], to?: string) =>
    Object.fromEntries(stages.flatMap((each) => [each, over(each)].map((key) => [key, to ?? each])));
  return {
    machine: PROSPECT,
    rows: Object.fromEntries(
      spine.flatMap((stage) => [
        [stage, row(stage, null)],
        [over(stage), row(stage, 'removed')],
      ]),
    ),
    acts: {
      ...Object.fromEntries(
        forward.map((stage): [string, Act] => [
          stage,
          {
            given: { at },
            does: ({ tx, row: { id }, now }) =>
              prospects.stageReached(tx, [id], stage as 'contacted', at, now),
          },
        ]),
      ),
      end: {
        given: { reason: 'left' },
        does: ({ tx, row: { id }, now }) => prospects.ended(tx, [id], 'left', now),
      },
      merge_away: { given: {}, does: ({ tx, row: { id }, now }) => prospects.mergedAway(tx, id, now) },
    },
    leads: {
      ...Object.fromEntries(forward.map((stage) => [stage, both(below(stage), stage)])),
      end: Object.fromEntries(spine.map((stage) => [stage, stage])),
      merge_away: both(spine),
    },
    beside: (before, made) =>
      Object.fromEntries(
        Object.entries(REACHED)
          .filter(([reached]) => `${reached}_at` in before)
          .filter(([, stages]) => (stages as readonly unknown[]).includes(made['stage']))
          .map(([reached]) => [`${reached}_at`, before[`${reached}_at`] ?? made['stage_at']]),
      ),
  };
}
describe('people in campaigns', () => replays(() => app, ofProspects()));
