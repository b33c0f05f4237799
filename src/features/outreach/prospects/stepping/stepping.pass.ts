// Two passes: people whose next step is due are taken on, and campaigns in which no one can move are finished.
import { MINUTE_MS, SECOND_MS } from '../../../../kernel/clock.ts';
import { pass, type AnyPass } from '../../../../kernel/pass.ts';
import { finishCampaign } from '../../campaigns/running/campaign-states.store.ts';
import { STEPPING } from '../names.rules.ts';
import { stepOn } from './stepping.ts';
import {
  campaignsAtTheEnd,
  claimSteps,
  type DueProspect,
  giveBackSteps,
  isAtTheEnd,
} from './stepping.store.ts';
import { STEPS_DUE } from './steps.store.ts';

/** Each person's step is a transaction of its own, so there is nothing more to commit. */
export const steppingPass: AnyPass = pass<DueProspect, 'stepped'>({
  name: 'stepping',
  wakes_on: [STEPS_DUE, 'campaigns'],
  interrupted_by: ['campaigns'],
  tells: 'prospects',
  every_ms: 5 * SECOND_MS,
  batch: 100,
  at_a_time: 4,
  starts_within_ms: 30 * SECOND_MS,
  in_one_statement: true,
  claim: claimSteps,
  open: (app) => ({
    begin: async () => async (due, cut) => {
      if (cut.aborted) return null;
      await stepOn(app, due);
      return 'stepped';
    },
    close: () => undefined,
  }),
  commit: async () => undefined,
  release: giveBackSteps,
  tidy: async () => undefined,
});

export const finishingPass: AnyPass = pass<{ id: string }, { id: string; at: Date }>({
  name: 'finishing',
  wakes_on: [],
  interrupted_by: [],
  tells: 'campaigns',
  every_ms: MINUTE_MS,
  batch: 20,
  at_a_time: 1,
  starts_within_ms: 20 * SECOND_MS,
  claim: async (tx, lease, count) =>
    (await campaignsAtTheEnd(tx, lease.from, null, count)).map((id) => ({ id })),
  open: (app) => ({
    begin:
      async () =>
      async ({ id }) => ({ id, at: app.clock.now() }),
    close: () => undefined,
  }),
  async commit(tx, _, results) {
    for (const { id, at } of results)
      if (await isAtTheEnd(tx, id, at)) await finishCampaign(tx, id, STEPPING, at);
  },
  release: async () => undefined,
  tidy: async () => undefined,
});
