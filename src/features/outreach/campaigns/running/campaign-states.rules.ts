// The states of a campaign, as a table: the rule, and what the SQL is made of (campaign-states.store.ts).
//
//   draft ──activate──▶ active ⇄ pause/activate paused        active ──no prospect can move──▶ finished ──activate──▶ active
//   draft, paused, finished ──archive──▶ archived, which is read only and left by nothing
import { column, given, type Machine, NOW, plus } from '../../../../kernel/machine.ts';
import { conflict, type Refusal } from '../../../../kernel/refusal.ts';
import type { CampaignState } from '../contract.ts';
import { readOnly } from '../rules.ts';

export type CampaignAct = 'activate' | 'pause' | 'finish' | 'archive';

export const CAMPAIGN = {
  table: 'campaigns',
  acts: {
    // Whose word it is, and what the policy of reviewing was agreed to with: the steps as they are now.
    activate: {
      from: ['draft', 'paused', 'finished'],
      to: 'active',
      set: {
        paused_reason: null,
        paused_at: null,
        activated_by_kind: given('activated_by_kind'),
        activated_by_id: given('activated_by_id'),
        activated_by_name: given('activated_by_name'),
        activated_by_on_behalf_of: given('activated_by_on_behalf_of'),
        activated_token: given('activated_token'),
        activated_at: NOW,
        eased: [],
        agreed: given('agreed'),
        review_bound_revision: column('sequence_revision'),
        review_bound_at: NOW,
      },
    },
    pause: { from: ['active'], to: 'paused', set: { paused_reason: given('reason'), paused_at: NOW } },
    finish: { from: ['active'], to: 'finished', set: {} },
    archive: {
      from: ['draft', 'paused', 'finished'],
      to: 'archived',
      set: { paused_reason: null, paused_at: null },
    },
  },
  always: { revision: plus('revision'), updated_at: NOW },
} as const satisfies Machine<CampaignState, CampaignAct>;

/** What a campaign says where an act leads nowhere; null: it leads on. */
export function refusedAct(from: CampaignState, act: CampaignAct): Refusal | null {
  const leaves: readonly CampaignState[] = CAMPAIGN.acts[act].from;
  if (leaves.includes(from)) return null;
  if (from === 'archived') return readOnly();
  if (act === 'activate') return conflict('this campaign is already active: nothing was changed');
  if (act === 'archive')
    return conflict('this campaign is active: pause it first, then archive it', { state: from });
  const says = from === 'draft' ? 'was never activated' : 'is not active';
  return conflict(`this campaign ${says}: there is nothing to pause`, { state: from });
}
