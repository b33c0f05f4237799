// Putting people into a campaign: wire act 5, by ids or by a segment, and the same looked at beforehand without writing.
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { OK, operation } from '../../../kernel/operation.ts';
import { id } from '../../../kernel/shapes.ts';
import { exampleCampaign, ofCampaigns } from '../campaigns/contract.ts';

export const PEOPLE_MAX = 500;
/** What one act enrols of a segment: it is one transaction, all of it or nothing. */
export const SEGMENT_MAX = 10_000;
/** So many refusals are listed; `refused_by` counts all of them. */
export const REFUSED_LISTED_MAX = 200;

export const REFUSED = [
  'no_such_person',
  'already_enrolled',
  'removed',
  'unsubscribed',
  'suppressed',
  'no_address',
  'in_another_campaign',
] as const;
export type RefusedWhy = (typeof REFUSED)[number];

export const enrolment = z.object({
  dry_run: z.boolean(),
  /** How many were enrolled; on a dry run, how many would be. */
  enrolled: z.int(),
  refused: z.array(z.object({ person_id: id, why: z.enum(REFUSED), sentence: z.string() })),
  /** All that were refused, counted by why; the list above stops at 200. */
  refused_by: z.partialRecord(z.enum(REFUSED), z.int()),
  /** What happens next with those enrolled. */
  sentence: z.string(),
});
export type Enrolment = z.infer<typeof enrolment>;
named('Enrolment', enrolment);

const ONE_OF = 'name people (up to 500 ids) or a segment, one of the two';

export const campaignEnrol = operation({
  name: 'campaign_enrol',
  says: 'Enrols people, up to 500 ids or a segment, into a campaign. dry_run: true writes nothing and says who would be refused, and why.',
  method: 'POST',
  path: '/api/admin/outreach/campaigns/:campaign/enrol',
  takes: z
    .strictObject({
      campaign: id,
      people: z.array(id).min(1).max(PEOPLE_MAX).optional(),
      segment: id.optional(),
      dry_run: z.boolean().optional(),
    })
    .refine(({ people, segment }) => (people === undefined) !== (segment === undefined), {
      error: ONE_OF,
      path: ['people'],
    }),
  gives: enrolment,
  example: { campaign: exampleCampaign, people: ['0198c0de-0000-7000-8000-000000000041'] },
  effect: 'write',
  needs: { action: 'outreach.prospect.enrol', on: 'row' },
  ...ofCampaigns,
  // A dry run writes nothing and is free; every other value, and none, enrols.
  wire: { act: 'prospect.enrol', when: ({ dry_run }) => dry_run !== true },
  answers: OK,
});
