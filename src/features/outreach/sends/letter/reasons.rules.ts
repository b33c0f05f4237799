// Why a letter does not go: every reason to hold or to wait (domain.md §1.5), what it says, what lifts it and who can. Screens
// and agents read these; no reader is told to check their inputs for something that only an operator can clear.

import { troubleIn } from '../../identities/trouble/trouble.rules.ts';

/** Who can lift it: a person at the desk, whoever runs the instance, or no one but the clock. */
export type Who = 'person' | 'operator' | 'time';
export type ReasonText = { says: string; fix: string; who: Who };

const person = (says: string, fix: string): ReasonText => ({ says, fix, who: 'person' });
const operator = (says: string, fix: string): ReasonText => ({ says, fix, who: 'operator' });
const time = (says: string, fix = 'Nothing to do: it goes by itself.'): ReasonText => ({
  says,
  fix,
  who: 'time',
});

export const HOLDS = {
  suppressed: person(
    'This address must not be written to.',
    'Leave it. If it was suppressed by mistake, a person lifts the suppression.',
  ),
  prospect_on_hold: person('This person is on hold in the campaign.', 'Release them from the hold.'),
  letter_on_hold: person('Somebody keeps this letter back.', 'Recheck it to release it.'),
  campaign_not_active: person(
    'The campaign stopped itself when its figures crossed a limit.',
    'Read its figures, fix the cause and activate it again.',
  ),
  campaign_eased: person(
    'Somebody who may not activate this campaign let it send more, sooner or to other people.',
    'Read its settings, pause it and activate it again.',
  ),
  review_confirmation_stale: person(
    'What letters say changed after somebody confirmed that they go without review.',
    'Confirm again for the present steps, or review the letters.',
  ),
  approval_stale: person(
    'The approval of this letter no longer stands: the letter changed, or who approved it lost that right.',
    'Approve the letter as it is now.',
  ),
  unresolved_variable: person(
    'The letter asks for something that this person has no value for.',
    'Fill the value in at the person, or give the step a fallback.',
  ),
  empty_letter: person('The letter has no subject or no text.', 'Write it.'),
  unsafe_header: person(
    'A name or the subject holds a line break or a control character.',
    'Take it out: it could forge a header.',
  ),
  letter_too_large: person('The letter with its attachments is over 10 MB.', 'Take an attachment out.'),
  missing_unsubscribe: person(
    'The letter offers no way to unsubscribe.',
    "Put the campaign's unsubscribe link in.",
  ),
  missing_postal_address: person(
    'The law asks for a postal address and the campaign has none.',
    'Choose a postal address in the campaign.',
  ),
  no_basis: person(
    'Nothing says on what basis this person may be written to.',
    "Set the person's basis and source, or take them out.",
  ),
  address_changed: person(
    'The address is not the one that this person was enrolled with, and nobody who may enrol chose it.',
    'Approve the letter to write to this address, or give the person their address back and cancel it.',
  ),
  address_undeliverable: person('The address does not exist.', 'Find another address for this person.'),
  address_risky: person(
    'The address may not belong to one person, and the campaign writes to certain ones alone.',
    'Find another address, or let the campaign write to such ones.',
  ),
  address_unknown: person(
    'Nobody could tell whether the address exists, and the campaign writes to certain ones alone.',
    'Verify it again later, or let the campaign write to such ones.',
  ),
  address_unsupported: person(
    'The mail server of the identity cannot carry an international address.',
    'Find another address for this person, or use another identity.',
  ),
  duplicate_in_campaign: person(
    'This person is being written to by another campaign that is exclusive, or was written to at this step.',
    'Take them out of one of the two.',
  ),
  no_identity: person('The campaign has no identity to send from.', 'Put an active identity into its pool.'),
  identity_inactive: person(
    'The identity that wrote to this person first is not active.',
    'Activate it; another one never takes over silently.',
  ),
  identity_credentials: person(
    'The mail server refuses the credentials of the identity.',
    'Save working credentials and activate the identity again.',
  ),
  identity_gone: person(
    'The identity that wrote to this person first was deleted.',
    'Take the person out; another sender would start a new thread.',
  ),
  domain_paused: person(
    'The sending domain is paused to protect its reputation.',
    'Read the evidence, fix the cause and resume the domain.',
  ),
  domain_unauthenticated: operator(
    'The sending domain fails its authentication, so mail from it is rejected or lands in spam.',
    'Publish the DNS records that the domain page lists.',
  ),
  domain_unverified: operator(
    'The sending domain has not passed its first check.',
    'Publish the DNS records that the domain page lists and check again.',
  ),
  window_never_opens: person(
    "The campaign's hours and the identity's workday never meet.",
    'Extend one of them.',
  ),
  past_end_date: person("The campaign's last day is over.", 'Move its end, or leave the letter.'),
  transport_refused: person(
    'The identity can’t send through its mail server.',
    'Fix what the identity’s page says is wrong, then test the identity.',
  ),
  base_url_local: operator(
    'Recipients can’t open the links of this instance: its address is local or isn’t https.',
    'Set SERVICE_BASE_URL to the public https address of this instance and restart it.',
  ),
  sending_disabled: operator(
    'Sending is switched off on this instance.',
    'Whoever runs the instance starts it without SERVICE_SENDING=off.',
  ),
  development_mode: operator(
    'This instance is in development: nothing leaves it but to its own sink.',
    'Whoever runs the instance starts it without SERVICE_DEVELOPMENT=1.',
  ),
} as const satisfies Record<string, ReasonText>;

export const WAITS = {
  out_of_office: time('This person is away.'),
  campaign_paused: person('The campaign is not running.', 'Activate the campaign.'),
  being_remade: time('Its sender or its campaign was edited, and it is being made anew.'),
  other_address: operator(
    'It was taken up by a process that still runs with an earlier address of this instance, to which its links would lead.',
    'Restart every process of this instance with the same SERVICE_BASE_URL.',
  ),
  verifying: time('The address is being verified.'),
  frequency_cap: time('This person had as many letters this week as the campaign allows.'),
  identity_cap: time('The identity has sent what it may today or this hour.'),
  min_gap: time('The identity keeps its distance between two letters.'),
  ramp: time('The identity is young and its allowance of the day is used.'),
  domain_cap: time('The domain has sent what it may today.'),
  auth_check_pending: time("The domain's authentication is being checked."),
  campaign_cap: time('The campaign has sent what it may today.'),
  new_per_day: time('The campaign has started with as many new people today as it may.'),
  outside_window: time('It is outside the hours in which this person is written to.'),
  blackout: time('No letters go out on this day.'),
  transport_down: time('The mail server cannot be reached.'),
  greylisted: time("The recipient's server asks to try again later."),
  retry: time("The recipient's server put the letter off."),
  broke_off: time('The connection to the mail server broke off while the letter was being sent.'),
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
