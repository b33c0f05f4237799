// The digest of held letters: by reason, with what lifts each and who may. What a letter says stays in the letter.
import { bind, type ReadContext } from '../../../../kernel/context.ts';
import { screenUrl } from '../../../../kernel/links.rules.ts';
import { campaignRead } from '../../../outreach/campaigns/contract.ts';
import { campaignPreflight } from '../../../outreach/campaigns/checks.contract.ts';
import { campaignName } from '../../../outreach/campaigns/rules.ts';
import { campaignActivate, campaignPause } from '../../../outreach/campaigns/running.contract.ts';
import { sendList, sendRead } from '../../../outreach/sends/contract.ts';
import { HOLDS, type HoldReason } from '../../../outreach/sends/letter/reasons.rules.ts';
import { sendApprove, sendCancel, sendRecheck } from '../../../outreach/sends/moves.contract.ts';
import { sendNames } from '../../../outreach/sends/send.names.rules.ts';
import { verifyAddresses } from '../../../outreach/verification/contract.ts';
import type { Proposal } from '../next.ts';
import { type HeldGroup, heldGroups } from './letters.store.ts';
import { heldDigest } from '../outreach.contract.ts';
import { fewOf, framed, isShown, section, shortOrNull, within } from '../section.ts';

const READ = 'outreach.send.read';
/** Of each reason; with all reasons at once the answer is still whole. */
const CAMPAIGNS_SHOWN = 3;
/** Of the letters themselves; whoever wants more reads the list. */
const LETTERS_SHOWN = 8;
/** Of so many reasons, the most frequent first, something is proposed. */
const REASONS_ACTED_ON = 8;

export const held = bind(heldDigest, async (context, { campaign, reason }) => {
  const { db, caller } = context;
  const shown = await section(context, READ, null, async () => {
    const groups = await heldGroups(db, caller, { campaign, reason });
    return { count: sumOf(groups), reasons: byReason(groups) };
  });
  const oldest = await section(context, READ, null, async () => {
    const { items } = await context.invoke(sendList, {
      state: 'held',
      campaign,
      reason,
      order: 'oldest',
      limit: LETTERS_SHOWN,
    });
    return fewOf(
      items,
      ({ id, campaign_id, person_name, hold }) => ({
        send_id: id,
        campaign_id,
        person: shortOrNull(person_name),
        reason: hold?.reason ?? null,
        since: hold?.since ?? null,
      }),
      { count: within(shown, ({ count }) => count, items.length) },
    );
  });
  const reasons = within(shown, (found) => found.reasons, []);
  const next: (Proposal | null)[] = [];
  for (const { reason: one, fix } of reasons.slice(0, REASONS_ACTED_ON))
    next.push(await actOf(context, one as HoldReason, fix, campaign));
  return framed(context, { held: shown, oldest }, next);
});

/** What is done about a reason, with the letter that it has held longest. */
async function actOf(
  context: ReadContext,
  reason: HoldReason,
  fix: string,
  campaign: string | undefined,
): Promise<Proposal | null> {
  const { items } = await context.invoke(sendList, {
    state: 'held',
    campaign,
    reason,
    order: 'oldest',
    limit: 1,
  });
  const [letter] = items;
  if (!letter) return null;
  const { instance } = context.app;
  const at = screenUrl(instance, 'letter', letter.id);
  const read: Proposal = { what: fix, does: sendRead, with: { send: letter.id }, open_at: at };
  const on = sendNames(letter);
  const approve: Proposal = {
    what: fix,
    does: sendApprove,
    with: { send: letter.id },
    on,
    sign_at: at,
    open_at: at,
  };
  const acts: Partial<Record<HoldReason, Proposal>> = {
    suppressed: {
      what: 'Cancel the letter: its recipient must not be written to.',
      does: sendCancel,
      with: { send: letter.id },
      on,
      open_at: at,
    },
    approval_stale: approve,
    address_changed: approve,
    address_unknown: {
      what: 'Verify the address.',
      does: verifyAddresses,
      tool: 'outreach_verify_email',
      with: { address: letter.to, action: 'check' },
      open_at: at,
    },
  };
  if ((reason === 'campaign_not_active' || reason === 'campaign_eased') && letter.campaign_id !== null)
    return await ofCampaign(context, { id: letter.campaign_id, reason, fix, recheck: letter.id });
  return acts[reason] ?? read;
}

/** An active campaign can't be activated: it is paused first, or its letters are asked again. */
async function ofCampaign(
  context: ReadContext,
  { id, reason, fix, recheck }: { id: string; reason: HoldReason; fix: string; recheck: string },
): Promise<Proposal | null> {
  const found = await section(context, 'outreach.campaign.read', null, async () =>
    context.invoke(campaignRead, { campaign: id }),
  );
  if (!isShown(found)) return null;
  const at = screenUrl(context.app.instance, 'campaign', id);
  const { state } = found.campaign;
  const on = [campaignName(id)];
  if (state === 'draft' || state === 'paused') {
    const { checks } = await context.invoke(campaignPreflight, { campaign: id });
    if (checks.some(({ required, ok }) => required && !ok))
      return {
        what: 'See what the campaign needs before it can start.',
        does: campaignPreflight,
        with: { campaign: id },
        on,
        open_at: at,
      };
    return { what: fix, does: campaignActivate, with: { campaign: id }, on, sign_at: at, open_at: at };
  }
  if (state === 'active' && reason === 'campaign_eased')
    return {
      what: 'Check the campaign’s settings and pause it; then someone with wire activates it again.',
      does: campaignPause,
      with: { campaign: id },
      on,
      open_at: at,
    };
  return {
    what: 'Recheck the letter.',
    does: sendRecheck,
    with: { send: recheck },
    open_at: screenUrl(context.app.instance, 'letter', recheck),
  };
}

const sumOf = (groups: readonly HeldGroup[]): number => groups.reduce((sum, { count }) => sum + count, 0);

function byReason(groups: readonly HeldGroup[]) {
  const reasons = [...new Set(groups.map(({ reason }) => reason))];
  return reasons
    .map((reason) => {
      const mine = groups.filter((group) => group.reason === reason).sort((a, b) => b.count - a.count);
      const { says, fix, who } = HOLDS[reason as HoldReason];
      return {
        reason,
        count: sumOf(mine),
        oldest: new Date(Math.min(...mine.map(({ oldest }) => oldest.getTime()))).toISOString(),
        sentence: says,
        fix,
        who,
        campaigns: fewOf(mine, ({ campaign_id, count }) => ({ campaign_id, count }), {
          max: CAMPAIGNS_SHOWN,
        }),
      };
    })
    .sort((a, b) => b.count - a.count);
}
