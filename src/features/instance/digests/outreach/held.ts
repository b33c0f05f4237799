// The digest of held letters: by reason, with what lifts each and who may. What a letter says stays in the letter.
import { bind } from '../../../../kernel/context.ts';
import { sendList } from '../../../outreach/sends/contract.ts';
import { HOLDS, type HoldReason } from '../../../outreach/sends/letter/reasons.rules.ts';
import type { Next } from '../frame.contract.ts';
import { type HeldGroup, heldGroups } from './letters.store.ts';
import { heldDigest } from '../outreach.contract.ts';
import { fewOf, fewOfPage, framed, isShown, LINES_MAX, section, shortOrNull } from '../section.ts';

const READ = 'outreach.send.read';
/** Of each reason; with all reasons at once the answer is still whole. */
const CAMPAIGNS_SHOWN = 3;
/** Of the letters themselves; whoever wants more reads the list. */
const LETTERS_SHOWN = 8;
const SENDS = '/api/admin/outreach/sends';

export const held = bind(heldDigest, async (context, { campaign, reason }) => {
  const { db, caller } = context;
  const shown = await section(context, READ, null, async () => {
    const groups = await heldGroups(db, caller, { campaign, reason });
    return { count: sumOf(groups), reasons: byReason(groups) };
  });
  const oldest = await section(context, READ, null, async () =>
    fewOfPage(
      await context.invoke(sendList, { state: 'held', campaign, reason, order: 'oldest', limit: LINES_MAX }),
      ({ id, campaign_id, person_name, hold }) => ({
        send_id: id,
        campaign_id,
        person: shortOrNull(person_name),
        reason: hold?.reason ?? null,
        since: hold?.since ?? null,
      }),
      LETTERS_SHOWN,
    ),
  );
  const reasons = isShown(shown) ? shown.reasons : [];
  return framed(context, { held: shown, oldest }, [...reasons.slice(0, LINES_MAX).flatMap(nextOf), ...LOOK]);
});

const LOOK: Next[] = [
  {
    what: 'Read one letter with all its gates and their evidence.',
    with: `GET ${SENDS}/:send`,
    who: 'agent',
  },
  {
    what: 'Recheck it once the cause is fixed.',
    with: `POST ${SENDS}/:send/recheck`,
    who: 'agent',
  },
];

type Step = Pick<Next, 'with' | 'who'>;

/** What an agent can fix on its own; everything else is a person's, or needs wire. */
const LIFTS: Partial<Record<HoldReason, Step>> = {
  suppressed: { with: 'DELETE /api/admin/outreach/suppressions/:suppression', who: 'wire' },
  prospect_on_hold: { with: 'POST /api/admin/outreach/prospects/:prospect/release', who: 'agent' },
  letter_on_hold: { with: `POST ${SENDS}/:send/recheck`, who: 'agent' },
  campaign_not_active: { with: 'POST /api/admin/outreach/campaigns/:campaign/activate', who: 'wire' },
  campaign_eased: { with: 'POST /api/admin/outreach/campaigns/:campaign/activate', who: 'wire' },
  approval_stale: { with: `POST ${SENDS}/:send/approve`, who: 'wire' },
  address_changed: { with: `POST ${SENDS}/:send/approve`, who: 'wire' },
  unresolved_variable: { with: 'PATCH /api/admin/crm/people/:person', who: 'agent' },
  empty_letter: { with: 'letter_draft', who: 'agent' },
  unsafe_header: { with: `PATCH ${SENDS}/:send`, who: 'agent' },
  missing_unsubscribe: { with: `PATCH ${SENDS}/:send`, who: 'agent' },
  missing_postal_address: { with: 'PATCH /api/admin/outreach/campaigns/:campaign', who: 'agent' },
  no_basis: { with: 'PATCH /api/admin/crm/people/:person', who: 'agent' },
  address_unknown: { with: 'outreach_verify_email {"action": "check"}', who: 'agent' },
  no_identity: { with: 'PUT /api/admin/outreach/campaigns/:campaign/pool', who: 'wire' },
  identity_inactive: { with: 'POST /api/admin/outreach/identities/:identity/activate', who: 'wire' },
  domain_paused: { with: 'POST /api/admin/outreach/domains/:domain/resume', who: 'wire' },
  domain_unverified: { with: 'POST /api/admin/outreach/domains/:domain/check', who: 'agent' },
};

/** What must be done before that: an active campaign can't be activated. */
const FIRST: Partial<Record<HoldReason, Step>> = {
  campaign_eased: { with: 'POST /api/admin/outreach/campaigns/:campaign/pause', who: 'agent' },
};

function nextOf({ reason, fix }: { reason: string; fix: string }): Next[] {
  const [first, act] = [FIRST[reason as HoldReason], LIFTS[reason as HoldReason]];
  if (!act) return [{ what: fix, with: `GET ${SENDS}?state=held&reason=${reason}`, who: 'person' }];
  return [...(first ? [first] : []), act].map((step) => ({ what: fix, ...step }));
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
