// The warden's round: every five minutes each domain and each active campaign. What is bad change notifications was judged when it came; the
// round sees what only time, or good change notifications, changes.
import { DAY_MS, MINUTE_MS, after } from '../../../kernel/clock.ts';
import type { Database } from '../../../kernel/database.ts';
import { pass, type AnyPass } from '../../../kernel/pass.ts';
import { pauseCampaign } from '../campaigns/running/campaign-states.store.ts';
import { settleReported } from '../deliveries/uncertain.ts';
import { forgetEvents } from '../vendors/store.ts';
import { judgeDomain } from './judge.ts';
import {
  answeredUncertain,
  campaignMetrics,
  claimLooks,
  endLook,
  forgetLooks,
  giveBackLooks,
  type Look,
} from './looks.store.ts';
import { ruleGuardrails } from './warden.rules.ts';

const WARDEN = { kind: 'system', id: 'warden', name: 'the warden' } as const;

const KEPT_MS = 30 * DAY_MS;

type Looked = Look & { database: Database; at: Date };

export const wardenPass: AnyPass = pass<Look, Looked>({
  name: 'warden',
  wakes_on: [],
  interrupted_by: [],
  tells: 'domains',
  every_ms: MINUTE_MS,
  batch: 10,
  at_a_time: 10,
  starts_within_ms: 20_000,
  async claim(tx, lease, count) {
    await settleReported(tx, await answeredUncertain(tx), WARDEN, lease.from);
    return await claimLooks(tx, lease, count);
  },
  open: (app) => ({
    begin: async () => async (row) => ({ ...row, database: app.database, at: app.clock.now() }),
    close: () => undefined,
  }),
  async commit(tx, lease, results) {
    // Campaigns before domains, each by id: as everyone locks them.
    const ordered = results.toSorted((a, b) =>
      `${a.kind} ${a.subject_id}` < `${b.kind} ${b.subject_id}` ? -1 : 1,
    );
    for (const { database, at, ...look } of ordered) {
      if (!(await endLook(tx, lease, look, at))) continue;
      if (look.kind === 'campaign') {
        const counted = await campaignMetrics(tx, look.subject_id, at);
        const reason = counted && ruleGuardrails(counted.figures, counted.limits);
        if (reason) await pauseCampaign(tx, look.subject_id, reason, WARDEN, at);
        continue;
      }
      await judgeDomain(tx, (event, data) => database.emit(tx, event, data, at), look.subject_id, at, true);
    }
  },
  release: (tx, lease) => giveBackLooks(tx, lease),
  async tidy(tx, now) {
    await forgetLooks(tx);
    await forgetEvents(tx, after(now, -KEPT_MS));
  },
});
