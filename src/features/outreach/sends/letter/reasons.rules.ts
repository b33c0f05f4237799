// Why a letter does not go: every reason to hold or to wait (domain.md §1.5), what it says, what lifts it and who can. Screens
// and agents read these; no reader is told to check their inputs for something that only an operator can clear.

import { troubleIn } from '../../identities/trouble/trouble.rules.ts';

/** Who can lift it: a person at the desk, whoever runs the instance, or no one but the clock. */
export type Who = 'person' | 'operator' | 'time';
export type ReasonText = { says: string; fix: string; who: Who };

const person = (says: string, fix: string): ReasonText => ({ says, fix, who: 'person' });
const operator = (says: string, fix: string): ReasonText => ({ says, fix, who: 'operator' });
const time = (says: string, fix = 'Nothing to do: it’s sent automatically.'): ReasonText => ({
  says,
  fix,
  who: 'time',
});

export const HOLDS = {
  suppressed: person(
    'This address is suppressed.',
    'Nothing. If it was suppressed by mistake, a person can lift the suppression.',
  ),
  prospect_on_hold: person('This person is on hold in the campaign.', 'Release them from the hold.'),
  letter_on_hold: person('This letter is on hold.', 'Recheck it to release it.'),
  campaign_not_active: person(
    'The campaign paused automatically when a metric crossed its limit.',
    'Check its metrics, fix the cause and activate it again.',
  ),
  campaign_eased: person(
    'Someone without permission to activate this campaign let it send more, sooner or to other people.',
    'Check its settings, pause it and activate it again.',
  ),
  review_confirmation_stale: person(
    'The letters changed after someone confirmed that they go without review.',
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
  empty_letter: person('The letter has no subject or no text.', 'Write it.'),
  unsafe_header: person(
    'A name or the subject contains a line break or a control character.',
    'Remove it: it could forge a header.',
  ),
  letter_too_large: person('The letter with its attachments is over 10 MB.', 'Remove an attachment.'),
  missing_unsubscribe: person('The letter has no unsubscribe link.', "Add the campaign's unsubscribe link."),
  missing_postal_address: person(
    'The law asks for a postal address and the campaign has none.',
    'Choose a postal address in the campaign.',
  ),
  no_basis: person(
    'This person has no legal basis for being contacted.',
    "Set the person's basis and source, or remove them.",
  ),
  address_changed: person(
    'The address changed since this person was enrolled, and no one with permission to enrol chose it.',
    'Approve the letter to use this address, or restore the old address and cancel it.',
  ),
  address_undeliverable: person('The address does not exist.', 'Find another address for this person.'),
  address_risky: person(
    'The address may not belong to one person, and the campaign only writes to verified addresses.',
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
    'This person is in another campaign that is exclusive, or already got this step’s letter.',
    'Remove them from one of the two.',
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
    'Remove the person; another sender would start a new thread.',
  ),
  domain_paused: person(
    'The sending domain is paused to protect its reputation.',
    'Read the evidence, fix the cause and resume the domain.',
  ),
  domain_unauthenticated: operator(
    'The sending domain fails its authentication, so mail from it is rejected or lands in spam.',
    'Publish the DNS records listed on the domain’s page.',
  ),
  domain_unverified: operator(
    'The sending domain has not passed its first check.',
    'Publish the DNS records listed on the domain’s page and check again.',
  ),
  window_never_opens: person(
    "The campaign's hours and the identity's workday don’t overlap.",
    'Extend one of them.',
  ),
  past_end_date: person("The campaign's last day is over.", 'Extend the campaign, or leave the letter.'),
  transport_refused: person(
    'The identity can’t send through its mail server.',
    'Fix what the identity’s page says is wrong, then test the identity.',
  ),
  base_url_local: operator(
    'Recipients can’t open the links of this instance: its address is local or isn’t https.',
    'Set SERVICE_BASE_URL to the public https address of this instance and restart it.',
  ),
  sending_disabled: operator(
    'Sending is turned off on this instance.',
    'The operator restarts the instance without SERVICE_SENDING=off.',
  ),
  development_mode: operator(
    'This instance is in development mode: mail only goes to its built-in sink.',
    'The operator restarts the instance without SERVICE_DEVELOPMENT=1.',
  ),
} as const satisfies Record<string, ReasonText>;

export const WAITS = {
  out_of_office: time('This person is away.'),
  campaign_paused: person('The campaign is not running.', 'Activate the campaign.'),
  being_remade: time('Its sender or campaign was edited, and it is being regenerated.'),
  other_address: operator(
    'It was taken up by a process that still runs with an earlier address of this instance, to which its links would lead.',
    'Restart every process of this instance with the same SERVICE_BASE_URL.',
  ),
  verifying: time('The address is being verified.'),
  frequency_cap: time('This person already got as many letters this week as the campaign allows.'),
  identity_cap: time('The identity reached its limit for today or this hour.'),
  min_gap: time('The identity waits between two letters.'),
  ramp: time('The identity is still ramping up and has used today’s allowance.'),
  domain_cap: time('The domain reached today’s limit.'),
  auth_check_pending: time("The domain's authentication is being checked."),
  campaign_cap: time('The campaign reached today’s limit.'),
  new_per_day: time('The campaign reached today’s limit of new people.'),
  outside_window: time('It is outside this person’s sending hours.'),
  blackout: time('No letters go out on this day.'),
  transport_down: time('The mail server cannot be reached.'),
  greylisted: time("The recipient's server asks to try again later."),
  retry: time("The recipient's server asked for a retry later."),
  broke_off: time('The connection to the mail server was lost while the letter was being sent.'),
} as const satisfies Record<string, ReasonText>;

/** Why a letter that is due and that nothing stops has not left yet. No letter is put off for one of these. */
export const TURNS = {
  being_sent: time('It is being handed to the mail server, which has not answered yet.'),
  in_line: time('Other letters of its identity are being sent, and it is next in line.'),
  soon: time('It is due, and the next look for due letters takes it.'),
  no_sender: operator(
    'No process of this instance is sending letters.',
    'Whoever runs the instance starts a process with --role worker; the page of health shows those there are.',
  ),
} as const satisfies Record<string, ReasonText>;

/** In our own words, by the cause that the sender met. */
const DOWN: Record<string, string> = {
  dns: 'Its name leads nowhere now.',
  refused: 'It takes no connections.',
  timeout: 'It didn’t answer in time.',
  tls: 'No encrypted connection came about.',
  certificate: 'Its certificate can’t be trusted.',
  dropped: 'It ends connections.',
  protocol: 'What answers there doesn’t take mail.',
  deferred: 'It asks to come back later.',
  address: 'It is at an address that may not be called from here.',
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
