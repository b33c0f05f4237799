// The checks of a campaign before it starts, each with its sentence, what lifts it and who can. Pure, over facts that were
// read in one moment. Those that are required refuse the start; the others say what letters would be held for one by one.
import { dayIn } from '../../mail/timing/windows.rules.ts';
import type { Check, CheckCode } from './checks.contract.ts';
import type { Campaign } from './contract.ts';
import { earliestAt, type PoolSender, sendingDaysLeft } from './hours.rules.ts';
import { isConfirmed } from './review.rules.ts';

export type PreflightFacts = {
  campaign: Omit<Campaign, 'counts'>;
  /** Steps with something to do, and those with a fault. */
  steps: { doing: number; letters: number; faulty: number };
  senders: readonly PoolSender[];
  people: {
    looked_at: number;
    missing_variables: number;
    /** The fields that most of them lack. */
    missing: readonly string[];
    unfounded: number;
    without_address: number;
    unverified: number;
    suppressed: number;
  };
  sending: { enabled: boolean; development: boolean };
};

type Who = Check['who'];

export function checksOf(facts: PreflightFacts, now: Date): Check[] {
  return [...ofSteps(facts), ...ofSenders(facts), ...ofCampaign(facts, now), ...ofPeople(facts, now)];
}

const check = (
  code: CheckCode,
  required: boolean,
  fault: { count?: number | null; says: string; fix: string; who?: Who } | null,
  holds: string,
): Check =>
  fault === null
    ? { code, ok: true, required, sentence: holds, fix: '', who: 'person', count: null }
    : {
        code,
        ok: false,
        required,
        sentence: fault.says,
        fix: fault.fix,
        who: fault.who ?? 'person',
        count: fault.count ?? null,
      };

const many = (n: number, one: string, more: string): string => `${n} ${n === 1 ? one : more}`;

function ofSteps({ steps }: PreflightFacts): Check[] {
  return [
    check(
      'sequence_empty',
      true,
      steps.doing === 0 ? { says: 'No step says anything.', fix: 'Write a letter or a task.' } : null,
      'There are steps.',
    ),
    check(
      'steps_valid',
      true,
      steps.faulty > 0
        ? {
            count: steps.faulty,
            says: `${many(steps.faulty, 'step has', 'steps have')} a fault by now.`,
            fix: 'Save the steps again: every fault is named then.',
          }
        : null,
      'Every step can be made into a letter.',
    ),
  ];
}

function ofSenders({ senders }: PreflightFacts): Check[] {
  const active = senders.filter((sender) => sender.active);
  const usable = active.filter((sender) => sender.domain_state === 'active');
  const failing = active.filter((sender) => sender.auth.includes('failing'));
  const unknown = active.filter((sender) => sender.auth.includes('unknown'));
  const [paused] = active.filter((sender) => sender.domain_state !== 'active');
  return [
    check(
      'pool_empty',
      true,
      senders.length === 0
        ? { says: 'Nobody sends it: the pool is empty.', fix: 'Put identities into the pool; it needs wire.' }
        : null,
      'There are identities in the pool.',
    ),
    check(
      'identity_inactive',
      true,
      senders.length > 0 && active.length === 0
        ? {
            count: senders.length,
            says: 'No identity of its pool is active.',
            fix: 'Activate one; it needs wire.',
          }
        : null,
      'An identity of the pool is active.',
    ),
    check(
      'domain_paused',
      true,
      active.length > 0 && usable.length === 0
        ? {
            says: `The domain ${paused?.domain ?? ''} is ${paused?.domain_state ?? 'not active'}.`,
            fix:
              paused?.domain_state === 'paused'
                ? 'Read the evidence, mend the cause and resume the domain.'
                : 'Publish the DNS records that the domain page lists and check again.',
            who: paused?.domain_state === 'paused' ? 'person' : 'operator',
          }
        : null,
      'A sending domain is active.',
    ),
    check(
      'auth_failing',
      true,
      failing.length > 0
        ? {
            count: failing.length,
            says: `SPF, DKIM or DMARC of ${failing[0]?.domain ?? ''} fails.`,
            fix: 'Publish the DNS records that the domain page lists and check again.',
            who: 'operator',
          }
        : null,
      'No authentication fails.',
    ),
    check(
      'auth_unknown',
      false,
      unknown.length > 0
        ? {
            count: unknown.length,
            says: `SPF, DKIM or DMARC of ${unknown[0]?.domain ?? ''} could not be told.`,
            fix: 'Check the domain again.',
          }
        : null,
      'The authentication of every sender is known.',
    ),
  ];
}

function ofCampaign({ campaign, senders, sending }: PreflightFacts, now: Date): Check[] {
  const { ends_on, timezone, review_policy, unsubscribe_mode, postal_address_id } = campaign;
  const active = senders.filter((sender) => sender.active);
  const hours = { ...campaign, ends_on: null };
  const meet = (active.length > 0 ? active : [null]).some(
    (sender) => earliestAt(hours, sender, timezone, now) !== null,
  );
  const ended = ends_on !== null && dayIn(now, timezone) > ends_on;
  return [
    check(
      'window_never_opens',
      true,
      meet
        ? null
        : { says: 'Its hours and the workday of its senders never meet.', fix: 'Widen one of the two.' },
      'Its hours open.',
    ),
    check(
      'ended',
      true,
      ended ? { says: `Its last day was ${ends_on}.`, fix: 'Move ends_on, or take it out.' } : null,
      'It has not ended.',
    ),
    check(
      'postal_address',
      true,
      postal_address_id === null
        ? {
            says: 'It has no postal address, which the law asks for.',
            fix: 'Choose one of the postal addresses.',
          }
        : null,
      'A postal address stands below its letters.',
    ),
    check(
      'review_confirmation_stale',
      true,
      review_policy === 'none' && !isConfirmed(campaign)
        ? {
            says: 'Letters would leave unread, and nobody confirmed that for the present steps.',
            fix: 'Confirm again, or choose another review policy; either needs wire.',
          }
        : null,
      'Its review policy stands.',
    ),
    check(
      'sending_switched_off',
      false,
      !sending.enabled || sending.development
        ? {
            says: sending.enabled
              ? 'This instance is in development: letters reach its own sink alone.'
              : 'Sending is switched off on this instance: every letter will be held.',
            fix: 'Whoever runs the instance starts it anew without the switch.',
            who: 'operator',
          }
        : null,
      'This instance sends.',
    ),
    check(
      'unsubscribe',
      false,
      unsubscribe_mode === 'one_click'
        ? null
        : {
            says: 'Its letters have no unsubscribe link, which large mailbox providers ask for.',
            fix: 'Set unsubscribe_mode to one_click.',
          },
      'Every letter has an unsubscribe link.',
    ),
  ];
}

function ofPeople({ campaign, people, steps, senders }: PreflightFacts, now: Date): Check[] {
  const some = (code: CheckCode, count: number, says: string, fix: string, holds: string): Check =>
    check(code, false, count > 0 ? { count, says, fix } : null, holds);
  const n = people.looked_at;
  const letters = Math.max(0, n - people.suppressed) * steps.letters;
  const daily = capacityOf(campaign.daily_cap, senders);
  const days = sendingDaysLeft(campaign, now);
  const late = letters > 0 && days !== Infinity && daily * days < letters;
  return [
    check(
      'no_people',
      false,
      n === 0 ? { says: 'Nobody is in it.', fix: 'Enrol people; it needs wire.' } : null,
      `${many(n, 'person is', 'people are')} in it.`,
    ),
    some(
      'missing_variables',
      people.missing_variables,
      `${many(people.missing_variables, 'person lacks', 'people lack')} a value that a letter asks for: ${people.missing.slice(0, 3).join(', ')}.`,
      'Fill the values in, or give the fields a default in the letter.',
      'Everybody has what the letters ask for.',
    ),
    some(
      'missing_basis',
      campaign.require_basis ? people.unfounded : 0,
      `${many(people.unfounded, 'person has', 'people have')} no basis or source to be written to.`,
      'Set the basis and source of these people.',
      'Everybody may be written to on a basis.',
    ),
    some(
      'no_address',
      people.without_address,
      `${many(people.without_address, 'person has', 'people have')} no address.`,
      'Add addresses, or take these people out.',
      'Everybody has an address.',
    ),
    some(
      'unverified_people',
      campaign.verification_policy === 'any' ? 0 : people.unverified,
      campaign.verification_policy === 'deliverable_only'
        ? `${many(people.unverified, 'address is', 'addresses are')} not known to be deliverable: their letters will be held.`
        : `${many(people.unverified, 'address was', 'addresses were')} never verified.`,
      'Verify the addresses.',
      'The addresses are as verified as the campaign asks.',
    ),
    some(
      'suppressed_people',
      people.suppressed,
      `${many(people.suppressed, 'person is', 'people are')} suppressed and will not be written to.`,
      'Nothing to do: their letters are held.',
      'Nobody in it is suppressed.',
    ),
    check(
      'ends_before_finish',
      false,
      late
        ? {
            says: `Up to ${letters} letters do not fit into ${many(days, 'day', 'days')} of ${daily}.`,
            fix: 'Move ends_on, raise the caps, or enrol fewer people.',
          }
        : null,
      'There is time for its letters.',
    ),
  ];
}

/** Letters a day that its active senders come to, under the caps of their domains and its own. */
function capacityOf(daily_cap: number | null, senders: readonly PoolSender[]): number {
  const byDomain = new Map<string, { sum: number; cap: number }>();
  for (const { active, domain, daily_cap: own, domain_cap } of senders) {
    if (!active) continue;
    byDomain.set(domain, { sum: (byDomain.get(domain)?.sum ?? 0) + own, cap: domain_cap });
  }
  const all = [...byDomain.values()].reduce((total, { sum, cap }) => total + Math.min(sum, cap), 0);
  return Math.min(all, daily_cap ?? all);
}
