// The state machine of campaigns as a property: every walk over it, whatever is asked in whatever order.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { STATES, type CampaignState } from '../contract.ts';
import { CAMPAIGN, type CampaignAct, refusedAct } from './campaign-states.rules.ts';

const ACTS: CampaignAct[] = ['activate', 'pause', 'archive', 'finish'];
const ALLOWED: [CampaignState, CampaignAct, CampaignState][] = [
  ['draft', 'activate', 'active'],
  ['draft', 'archive', 'archived'],
  ['active', 'pause', 'paused'],
  ['active', 'finish', 'finished'],
  ['paused', 'activate', 'active'],
  ['paused', 'archive', 'archived'],
  ['finished', 'activate', 'active'],
  ['finished', 'archive', 'archived'],
];

const leads = (from: CampaignState, act: CampaignAct): CampaignState | null =>
  refusedAct(from, act) === null ? CAMPAIGN.acts[act].to : null;

describe('the states of a campaign', () => {
  test('are left by exactly the triggers of the specification', () => {
    const found = STATES.flatMap((from) => ACTS.map((act) => [from, act, leads(from, act)] as const));
    expect(found.filter(([, , to]) => to !== null)).toEqual(expect.arrayContaining(ALLOWED));
    expect(found.filter(([, , to]) => to !== null)).toHaveLength(ALLOWED.length);
  });

  test('only activating leads to active, nothing leaves archived, and nothing goes back to draft', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...ACTS), { maxLength: 30 }), (acts) => {
        let state: CampaignState = 'draft';
        for (const act of acts) {
          const to = leads(state, act);
          if (to === null) {
            expect(refusedAct(state, act)?.status).toBe(409);
            expect(refusedAct(state, act)?.sentence.length).toBeLessThan(300);
            continue;
          }
          expect(state).not.toBe('archived');
          expect(to).not.toBe('draft');
          expect(to === 'active').toBe(act === 'activate');
          state = to;
        }
      }),
    );
  });
});
