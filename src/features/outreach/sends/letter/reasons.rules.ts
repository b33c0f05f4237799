// Why a letter doesn’t go: every reason to hold or wait (domain.md §1.5), its sentence, what lifts it and who can. No one is
// told to check their own input for something only an operator can fix.

import { troubleIn } from '../../identities/trouble/trouble.rules.ts';

/** Who can lift it: a person at the desk, whoever runs the instance, or no one but the clock. */
export type Who = 'person' | 'operator' | 'time';
export type ReasonText = { says: string; fix: string; who: Who };

const person = (says: string, fix: string): ReasonText => ({ says, fix, who: 'person' });
const operator = (says: string, fix: string): ReasonText => ({ says, fix, who: 'operator' });
const time = (says: string, fix = 'Nothing to do: it will be sent automatically.'): ReasonText => ({
  says,
  fix,
  who: 'time',
});

export const HOLDS = {
  suppressed: person(
    'This address is suppressed.',
    'Nothing to do, unless this is a mistake: a person can lift the suppression.',
  ),
  prospect_on_hold: person('This person is on hold in the campaign.', 'Release them from the hold.'),
  letter_on_hold: person('This letter is on hold.', 'Recheck it to release it.'),
  campaign_not_active: person(
    'The campaign paused automatically when a metric crossed its limit.',
    'Check its metrics, fix the cause and activate it again.',
  ),
  campaign_eased: person(
    'Someone without permission to activate this campaign changed it to send more, sooner or to other people.',
    'Check its settings, pause it and activate it again.',
  ),
  review_confirmation_stale: person(
    'The letters changed after someone confirmed sending them without review.',
    'Confirm the current steps again, or review the letters.',
  ),
  approval_stale: person(
    'This letter’s approval is no longer valid: the letter changed, or its approver lost permission.',
    'Approve the letter as it is now.',
  ),
  unresolved_variable: person(
    'The letter uses a variable that this person has no value for.',
    'Add the value to the person, or give the step a fallback.',
  ),
  empty_letter: person('The letter has no subject or no text.', 'Add a subject and text.'),
  unsafe_header: person(
    'A name or the subject contains a line break or a control character.',
    'Remove the character, which could be used to forge a header.',
  ),
  letter_too_large: person('The letter with its attachments is over 10 MB.', 'Remove an attachment.'),
  missing_unsubscribe: person('The letter has no unsubscribe link.', 'Add the campaign’s unsubscribe link.'),
  missing_postal_address: person(
    'The law requires a postal address, and the campaign has none.',
    'Choose a postal address in the campaign.',
  ),
  no_basis: person(
    'There’s no legal basis for contacting this person.',
    'Set the person’s legal basis and its source, or remove the person from the campaign.',
  ),
  address_changed: person(
    'The address changed after this person was enrolled, and no one with permission to enrol chose the new one.',
    'Approve the letter to use the new address, or restore the old address and cancel the letter.',
  ),
  address_undeliverable: person('The address does not exist.', 'Find another address for this person.'),
  address_risky: person(
    'The address may not belong to a single person, and the campaign only writes to verified addresses.',
    'Find another address, or let the campaign write to risky addresses.',
  ),
  address_unknown: person(
    'The address couldn’t be verified, and the campaign only writes to verified addresses.',
    'Verify it again later, or let the campaign write to unverified addresses.',
  ),
  address_unsupported: person(
    'The identity’s mail server doesn’t support international addresses.',
    'Find another address for this person, or use another identity.',
  ),
  duplicate_in_campaign: person(
    'This person is also in an exclusive campaign, or already got this step’s letter.',
    'Remove the person from one of the campaigns.',
  ),
  no_identity: person('The campaign has no identity to send from.', 'Add an active identity to its pool.'),
  identity_inactive: person(
    'The identity that first wrote to this person is not active.',
    'Activate it; no other identity takes over automatically.',
  ),
  identity_credentials: person(
    'The mail server rejects the identity’s credentials.',
    'Save working credentials and activate the identity again.',
  ),
  identity_gone: person(
    'The identity that first wrote to this person was deleted.',
    'Remove the person from the campaign, because a letter from another sender would start a new thread.',
  ),
  domain_paused: person(
    'The sending domain is paused to protect its reputation.',
    'Read the evidence, fix the cause and resume the domain.',
  ),
  domain_unauthenticated: operator(
    'The sending domain fails authentication, so its mail is rejected or lands in spam.',
    'Publish the DNS records listed on the domain’s page.',
  ),
  domain_unverified: operator(
    'The sending domain has not passed its first check.',
    'Publish the DNS records listed on the domain’s page and check again.',
  ),
  window_never_opens: person(
    'The campaign’s sending hours and the identity’s workday don’t overlap.',
    'Extend one of them.',
  ),
  past_end_date: person('The campaign’s end date has passed.', 'Extend the campaign, or cancel the letter.'),
  transport_refused: person(
    'The identity can’t send through its mail server.',
    'Fix the problem shown on the identity’s page, then test the identity.',
  ),
  base_url_local: operator(
    'Recipients can’t open this instance’s links: its address is local or isn’t https.',
    'Set SERVICE_BASE_URL to the public https address of this instance and restart it.',
  ),
  sending_disabled: operator(
    'Sending is turned off on this instance.',
    'Ask the operator to restart the instance without SERVICE_SENDING=off.',
  ),
  development_mode: operator(
    'This instance is in development mode: mail only goes to its built-in sink.',
    'Ask the operator to restart the instance without SERVICE_DEVELOPMENT=1.',
  ),
} as const satisfies Record<string, ReasonText>;

export const WAITS = {
  out_of_office: time('This person is away.'),
  campaign_paused: person('The campaign is not running.', 'Activate the campaign.'),
  being_remade: time('The sender or campaign was edited, so the letter is being regenerated.'),
  other_address: operator(
    'The process that picked up this letter still uses an earlier address of this instance, so its links would point there.',
    'Restart every process of this instance with the same SERVICE_BASE_URL.',
  ),
  verifying: time('The address is being verified.'),
  frequency_cap: time('This person already got as many letters this week as the campaign allows.'),
  identity_cap: time('The identity reached its limit for today or this hour.'),
  min_gap: time('The identity must wait before its next letter.'),
  ramp: time('The identity is still ramping up and has used today’s allowance.'),
  domain_cap: time('The domain reached today’s limit.'),
  auth_check_pending: time('The domain’s authentication is being checked.'),
  campaign_cap: time('The campaign reached today’s limit.'),
  new_per_day: time('The campaign reached today’s limit for new people.'),
  outside_window: time('It is outside this person’s sending hours.'),
  blackout: time('No letters go out on this day.'),
  transport_down: time('The mail server can’t be reached.'),
  greylisted: time('The recipient’s server delays mail from senders that are new to it.'),
  retry: time('The recipient’s server asked to try again later.'),
  broke_off: time('The connection to the mail server was lost while the letter was being sent.'),
} as const satisfies Record<string, ReasonText>;

/** Why a letter that is due and that nothing stops has not left yet. No letter is put off for one of these. */
export const TURNS = {
  being_sent: time('The letter is being handed to the mail server, which hasn’t responded yet.'),
  in_line: time('Other letters from this identity are being sent first.'),
  soon: time('The letter is due and will be sent in the next run.'),
  no_sender: operator(
    'No process of this instance is sending letters.',
    'Ask the operator to start a process with --role worker. The health page shows the running processes.',
  ),
} as const satisfies Record<string, ReasonText>;

/** In our own words, by the cause that the sender met. */
const DOWN: Record<string, string> = {
  dns: 'Its host name doesn’t resolve.',
  refused: 'It refuses connections.',
  timeout: 'It didn’t respond in time.',
  tls: 'No encrypted connection could be established.',
  certificate: 'Its certificate isn’t trusted.',
  dropped: 'It closes connections.',
  protocol: 'The server at that address isn’t a mail server.',
  deferred: 'It asked to try again later.',
  address: 'Its address is one that this instance must not call.',
};

/** Of a mail server that can't be reached, with the cause. */
export function waitText(reason: WaitReason, evidence: Record<string, unknown>): ReasonText {
  const { says, fix, who }: ReasonText = WAITS[reason];
  const cause = reason === 'transport_down' ? DOWN[String(evidence['cause'])] : undefined;
  return { says: cause ? `${says} ${cause}` : says, fix, who };
}

export type HoldReason = keyof typeof HOLDS;
export type WaitReason = keyof typeof WAITS;
/** Of an identity in trouble, its own text: what is wrong there, and what fixes that. */
export function holdText(reason: HoldReason, evidence: Record<string, unknown>): ReasonText {
  const trouble = reason === 'transport_refused' ? troubleIn(evidence) : null;
  const { says, fix, who } = HOLDS[reason];
  return trouble ? { says: `${says} ${trouble.says}`, fix: trouble.fix, who } : { says, fix, who };
}

export const HOLD_REASONS = Object.keys(HOLDS) as HoldReason[];
export const WAIT_REASONS = Object.keys(WAITS) as WaitReason[];
