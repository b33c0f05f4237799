// What is looked at before letters leave: the checks of an activation, and a letter as it will arrive (domain.md §4.1).
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { OK, operation } from '../../../kernel/operation.ts';
import { id, time } from '../../../kernel/shapes.ts';
import { HTML_MAX, SUBJECT_MAX, TEXT_MAX } from '../sequences/contract.ts';
import { exampleCampaign, ofCampaigns } from './contract.ts';

/** Those that refuse an activation, and those that only advise (`advice`). */
export const CHECKS = [
  'sequence_empty',
  'steps_valid',
  'pool_empty',
  'identity_inactive',
  'domain_paused',
  'auth_failing',
  'auth_unknown',
  'window_never_opens',
  'ended',
  'postal_address',
  'review_confirmation_stale',
  'eased',
  'sending_switched_off',
  'base_url_local',
  'unsubscribe',
  'no_people',
  'missing_variables',
  'missing_basis',
  'no_address',
  'unverified_people',
  'suppressed_people',
  'ends_before_finish',
] as const;
export type CheckCode = (typeof CHECKS)[number];

export const check = z.object({
  code: z.enum(CHECKS),
  /** Null: not asked, because there is nothing yet to ask it of. */
  ok: z.boolean().nullable(),
  /** An activation is refused while it fails. */
  required: z.boolean(),
  sentence: z.string(),
  /** What to do; empty where it holds. */
  fix: z.string(),
  who: z.enum(['person', 'operator', 'time']),
  /** How many it concerns: people, steps or identities; null where it counts nothing. */
  count: z.int().nullable(),
});
export type Check = z.infer<typeof check>;
named('CampaignCheck', check);

export const campaignPreflight = operation({
  name: 'campaign_preflight',
  says: 'Runs every check of an activation and changes nothing: what fails, what lifts it and who can. Without ok, activating refuses.',
  method: 'GET',
  path: '/api/admin/outreach/campaigns/:campaign/preflight',
  takes: z.strictObject({ campaign: id }),
  gives: z.object({
    /** Activating carries it: whatever changed in between refuses the activation. */
    seen: z.string(),
    ok: z.boolean(),
    /** How many hold. */
    passes: z.int(),
    /** What fails comes first. */
    checks: z.array(check),
    /** What would leave: the letters of the steps, and who sends them. */
    letters: z.array(z.object({ step_id: id, position: z.int(), subject: z.string(), text: z.string() })),
    senders: z.array(z.object({ identity_id: id, name: z.string(), address: z.string() })),
  }),
  example: { campaign: exampleCampaign },
  effect: 'read',
  needs: { action: 'outreach.campaign.read', on: 'row' },
  ...ofCampaigns,
  wire: 'never',
  answers: OK,
});

export const preview = z.object({
  campaign_id: id,
  person_id: id,
  step_id: id,
  /** Who would send it; null where the pool is empty. */
  identity: z.object({ id, name: z.string(), address: z.string() }).nullable(),
  /** Null where the person has no address. */
  to: z.string().nullable(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  /** Merge fields that the letter asks for and this person has no value for. */
  unresolved: z.array(z.string()),
  fields_used: z.array(z.string()),
  /** Why the letter could not be made, or must not be sent as it is. */
  faults: z.array(z.string()),
  /** The earliest instant at which its hours are open, by the recipient's zone; null: never. */
  earliest_at: time.nullable(),
  timezone: z.string(),
  timezone_from: z.enum(['person', 'company', 'country', 'campaign']),
});
named('CampaignPreview', preview);

export const campaignPreview = operation({
  name: 'campaign_preview',
  says: 'Shows a letter as one person will get it: the first of the steps or the one named, with what is unresolved and when it may leave at the earliest.',
  method: 'GET',
  path: '/api/admin/outreach/campaigns/:campaign/preview',
  takes: z.strictObject({ campaign: id, person: id, step: id.optional() }),
  gives: z.object({ preview }),
  example: { campaign: exampleCampaign, person: '0198c0de-0000-7000-8000-000000000041' },
  effect: 'read',
  needs: { action: 'outreach.campaign.read', on: 'row' },
  ...ofCampaigns,
  wire: 'never',
  answers: OK,
});

const draft = z.strictObject({
  campaign: id,
  person: id,
  subject: z.string().max(SUBJECT_MAX).default(''),
  text: z.string().max(TEXT_MAX).default(''),
  html: z.string().max(HTML_MAX).nullable().default(null),
});

export const campaignPreviewDraft = operation({
  name: 'campaign_preview_draft',
  says: 'Shows a letter that isn’t saved yet as one person would get it, and saves nothing.',
  method: 'POST',
  path: '/api/admin/outreach/campaigns/:campaign/preview',
  takes: draft,
  gives: z.object({ preview: preview.omit({ step_id: true }) }),
  example: {
    campaign: exampleCampaign,
    person: '0198c0de-0000-7000-8000-000000000041',
    subject: 'Hello',
    text: 'Hello {{ person.given }}',
  },
  effect: 'read',
  // Whoever could save these words could also read the letter with them.
  needs: { action: 'outreach.sequence.write', on: 'row' },
  ...ofCampaigns,
  wire: 'never',
  answers: OK,
});

export const campaignTestLetter = operation({
  name: 'campaign_test_letter',
  says: 'Emails a letter as one person would get it to the signed-in user, by the instance’s own outgoing mail. No one else gets it, and it counts nowhere.',
  method: 'POST',
  path: '/api/admin/outreach/campaigns/:campaign/preview/send',
  takes: draft,
  gives: z.object({ to: z.string() }),
  example: {
    campaign: exampleCampaign,
    person: '0198c0de-0000-7000-8000-000000000041',
    subject: 'Hello',
    text: 'Hello {{ person.given }}',
  },
  effect: 'write',
  needs: { action: 'outreach.sequence.write', on: 'row' },
  who: {
    session_only:
      'a test letter goes to the address of a signed-in user: send it from the campaign’s steps in the browser',
  },
  step_up: 'no',
  wire: 'never',
  answers: OK,
});
