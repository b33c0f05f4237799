// Prospects: one person in one campaign (domain.md §1.1, §1.4, §4.4), and the operations that find, read and move one.
// Putting people into a campaign is in enrol.contract.ts.
import { z } from 'zod';
import { csvOf } from '../../../kernel/csv.ts';
import { named } from '../../../kernel/names.ts';
import { OK, operation } from '../../../kernel/operation.ts';
import { id, listOf, page, principal, text, time } from '../../../kernel/shapes.ts';
import { exampleCampaign, ofCampaigns } from '../campaigns/contract.ts';
import { STAGES } from '../../crm/people/stages.rules.ts';

export const exampleProspect = '0198c0de-0000-7000-8000-000000000061';

/** Who keeps someone back: a person or an agent until they let go, an away message until it is over, the product itself. */
export const HOLDERS = ['person', 'agent', 'away', 'system'] as const;
export type Holder = (typeof HOLDERS)[number];

/** Why nothing more of the sequence goes to someone. Whoever only came to the end of the steps has none of these. */
export const ENDS = [
  'replied',
  'declined',
  'positive',
  'meeting',
  'won',
  'unsubscribed',
  'complaint',
  'left',
  'removed',
  'archived',
  'merged',
  'person_deleted',
] as const;
export type EndReason = (typeof ENDS)[number];

export const prospect = z.object({
  id,
  campaign_id: id,
  campaign_name: z.string(),
  /** Null once the person was deleted, or was merged into one who is in the campaign too. */
  person_id: id.nullable(),
  /** Null where the caller may not read the person. */
  person_name: z.string().nullable(),
  stage: z.enum(STAGES),
  stage_at: time,
  /** Who writes to them: chosen at the first letter and never changed. */
  identity_id: id.nullable(),
  /** The step that comes next or is on its way; null once there is none. */
  step_id: id.nullable(),
  /** When that step is due. */
  next_at: time.nullable(),
  hold: z.object({ by: z.enum(HOLDERS), reason: z.string(), until: time.nullable(), since: time }).nullable(),
  ended: z.enum(ENDS).nullable(),
  /** Their last letter, where it failed: send_resend sends it again. */
  failed_send_id: id.nullable(),
  /** The work item that the present step waits for. */
  item_id: id.nullable(),
  enrolled_by: principal,
  created_at: time,
});
export type Prospect = z.infer<typeof prospect>;
named('Prospect', prospect);

export const prospectFact = z.object({
  id,
  kind: z.string(),
  details: z.record(z.string(), z.unknown()),
  by: principal,
  at: time,
});
export type ProspectFact = z.infer<typeof prospectFact>;
named('ProspectFact', prospectFact);

const one = { prospect: id };
const example = { prospect: exampleProspect };
const read = { effect: 'read', ...ofCampaigns, wire: 'never', answers: OK } as const;
const write = { effect: 'write', ...ofCampaigns, wire: 'never', answers: OK } as const;

/** Where someone is in the sequence, beside the stage. */
export const STANDINGS = ['going', 'on_hold', 'ended', 'through'] as const;

export const prospectList = operation({
  name: 'prospect_list',
  says: 'Lists the people of a campaign in the order they were enrolled, with their stage, next step, hold and end.',
  method: 'GET',
  path: '/api/admin/outreach/campaigns/:campaign/prospects',
  takes: z.strictObject({
    campaign: id,
    stage: z.enum(STAGES).optional(),
    /** going: steps are left; on_hold; ended: nothing more goes out; through: every step is done. */
    standing: z.enum(STANDINGS).optional(),
    person: id.optional(),
    ...page,
  }),
  gives: listOf(prospect),
  example: { campaign: exampleCampaign },
  needs: { action: 'outreach.prospect.read', on: 'row' },
  ...read,
});

export const prospectExport = csvOf(prospectList, 'prospect_export', 'people of a campaign');

export const prospectRead = operation({
  name: 'prospect_read',
  says: 'Reads one person’s place in a campaign: stage, next step, hold, end, and what happened, newest first.',
  method: 'GET',
  path: '/api/admin/outreach/prospects/:prospect',
  takes: z.strictObject(one),
  gives: z.object({ prospect, history: z.array(prospectFact) }),
  example,
  needs: { action: 'outreach.prospect.read', on: 'row' },
  ...read,
});

export const prospectHold = operation({
  name: 'prospect_hold',
  says: 'Keeps a person back in one campaign: no letter of it goes to them until the time given, or until they are released.',
  method: 'POST',
  path: '/api/admin/outreach/prospects/:prospect/hold',
  takes: z.strictObject({ ...one, reason: text(500), until: time.optional() }),
  gives: z.object({ prospect }),
  example: { ...example, reason: 'Meeting them at the fair first' },
  needs: { action: 'outreach.prospect.hold', on: 'row' },
  ...write,
});

export const prospectRelease = operation({
  name: 'prospect_release',
  says: 'Releases a person on hold; the wait of their step continues where it was. Anyone not on hold is unchanged. Someone whose letter failed continues to the next step only with skip_failed.',
  method: 'POST',
  path: '/api/admin/outreach/prospects/:prospect/release',
  takes: z.strictObject({
    ...one,
    /** Their letter failed and is not sent again: they go on without it. */
    skip_failed: z.boolean().optional(),
  }),
  gives: z.object({ prospect }),
  example,
  needs: { action: 'outreach.prospect.release', on: 'row' },
  ...write,
});

export const prospectRemove = operation({
  name: 'prospect_remove',
  says: 'Takes a person out of a campaign for good: their letters that have not started are cancelled, what was sent stays on record.',
  method: 'POST',
  path: '/api/admin/outreach/prospects/:prospect/remove',
  takes: z.strictObject({ ...one, reason: text(500).optional() }),
  gives: z.object({ prospect }),
  example,
  needs: { action: 'outreach.prospect.remove', on: 'row' },
  ...write,
});

/** What a move came to: never an error, the sentence says what actually happened (interface specification §7). */
export const spineMove = z.object({
  moved: z.boolean(),
  stage: z.enum(STAGES),
  asked: z.enum(STAGES),
  sentence: z.string(),
});
named('SpineMove', spineMove);

const spine = {
  method: 'POST',
  gives: spineMove,
  needs: { action: 'outreach.prospect.spine', on: 'row' },
  ...write,
} as const;

export const prospectSpine = operation({
  ...spine,
  name: 'prospect_spine',
  says: 'Moves a person forward on the spine; one that cannot happen is no error, the sentence says what did. unsubscribed also suppresses.',
  path: '/api/admin/outreach/prospects/:prospect/spine',
  takes: z.strictObject({ ...one, stage: z.enum(STAGES), reason: text(500).optional() }),
  example: { ...example, stage: 'positive' },
});

export const campaignSpine = operation({
  ...spine,
  name: 'campaign_spine',
  says: 'Moves a person of a campaign forward on the spine, as prospect_spine does, named by the person.',
  path: '/api/admin/outreach/campaigns/:campaign/spine',
  takes: z.strictObject({ campaign: id, person_id: id, stage: z.enum(STAGES), reason: text(500).optional() }),
  example: {
    campaign: exampleCampaign,
    person_id: '0198c0de-0000-7000-8000-000000000041',
    stage: 'positive',
  },
});
