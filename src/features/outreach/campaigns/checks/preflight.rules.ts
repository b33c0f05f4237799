// The checks of a campaign before it starts, each with its sentence, what lifts it and who can. Pure, over facts that were
// read in one moment. Those that are required refuse the start; the others say what letters would be held for one by one.
import { dayIn } from '../../../../mail/timing/windows.rules.ts';
import { check, many, NO_SENDER, NO_STEP, NONE_ACTIVE, unless } from './check.rules.ts';
import type { Check } from '../checks.contract.ts';
import type { Campaign } from '../contract.ts';
import { easedInWords } from '../eased.rules.ts';
import { earliestAt, type PoolSender } from '../hours.rules.ts';
import { ofPeople } from './preflight.people.rules.ts';
import { isConfirmed } from '../review.rules.ts';

export type PreflightFacts = {
  campaign: Omit<Campaign, 'counts' | 'seen'>;
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
  /** The address that links in letters begin with. */
  address: { base_url: string; opens_outside: boolean };
};

export function checksOf(facts: PreflightFacts, now: Date): Check[] {
  return [...ofSteps(facts), ...ofSenders(facts), ...ofCampaign(facts, now), ...ofPeople(facts, now)];
}

function ofSteps({ steps }: PreflightFacts): Check[] {
  return [
    check(
      'sequence_empty',
      true,
      steps.doing === 0 ? { says: 'There is no letter or task.', fix: 'Write a letter or a task.' } : null,
      'There are steps.',
    ),
    unless(
      steps.doing === 0 ? NO_STEP : null,
      check(
        'steps_valid',
        true,
        steps.faulty > 0
          ? {
              count: steps.faulty,
              says: `${many(steps.faulty, 'step has', 'steps have')} an error.`,
              fix: 'Save the steps again to see each error.',
            }
          : null,
        'Every step renders.',
      ),
    ),
  ];
}

function ofSenders({ senders }: PreflightFacts): Check[] {
  const active = senders.filter((sender) => sender.active);
  const usable = active.filter((sender) => sender.domain_state === 'active');
  const failing = active.filter((sender) => sender.auth.includes('failing'));
  const unknown = active.filter((sender) => sender.auth.includes('unknown'));
  const noSender = senders.length === 0 ? NO_SENDER : null;
  const noneActive = noSender ?? (active.length === 0 ? NONE_ACTIVE : null);
  const [paused] = active.filter((sender) => sender.domain_state !== 'active');
  return [
    check(
      'pool_empty',
      true,
      senders.length === 0
        ? { says: 'The pool has no sender.', fix: 'Add identities to the pool; it needs wire.' }
        : null,
      'The pool has a sender.',
    ),
    unless(
      noSender,
      check(
        'identity_inactive',
        true,
        senders.length > 0 && active.length === 0
          ? {
              count: senders.length,
              says: 'No identity in the pool is active.',
              fix: 'Activate one; it needs wire.',
            }
          : null,
        'An identity in the pool is active.',
      ),
    ),
    unless(
      noneActive,
      check(
        'domain_paused',
        true,
        active.length > 0 && usable.length === 0
          ? {
              says: `The domain ${paused?.domain ?? ''} is ${paused?.domain_state ?? 'not active'}.`,
              fix:
                paused?.domain_state === 'paused'
                  ? 'Read the evidence, fix the cause and resume the domain.'
                  : 'Publish the DNS records listed on the domain’s page and check again.',
              who: paused?.domain_state === 'paused' ? 'person' : 'operator',
            }
          : null,
        'A sending domain is active.',
      ),
    ),
    unless(
      noneActive,
      check(
        'auth_failing',
        true,
        failing.length > 0
          ? {
              count: failing.length,
              says: `SPF, DKIM or DMARC of ${failing[0]?.domain ?? ''} fails.`,
              fix: 'Publish the DNS records listed on the domain’s page and check again.',
              who: 'operator',
            }
          : null,
        'Sender authentication passes.',
      ),
    ),
    unless(
      noneActive,
      check(
        'auth_unknown',
        false,
        unknown.length > 0
          ? {
              count: unknown.length,
              says: `SPF, DKIM or DMARC of ${unknown[0]?.domain ?? ''} could not be checked.`,
              fix: 'Check the domain again.',
            }
          : null,
        'Authentication of every sender was checked.',
      ),
    ),
  ];
}

function ofCampaign({ campaign, senders, sending, address }: PreflightFacts, now: Date): Check[] {
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
        : {
            says: 'The campaign’s hours and its senders’ workdays never overlap.',
            fix: 'Extend one of them.',
          },
      'Its hours and its senders’ workdays overlap.',
    ),
    check(
      'ended',
      true,
      ended ? { says: `Its last day was ${ends_on}.`, fix: 'Move ends_on, or remove it.' } : null,
      'It has not ended.',
    ),
    check(
      'postal_address',
      true,
      postal_address_id === null
        ? {
            says: 'It has no postal address, which the law requires.',
            fix: 'Choose a postal address.',
          }
        : null,
      'Its letters include a postal address.',
    ),
    check(
      'review_confirmation_stale',
      true,
      review_policy === 'none' && !isConfirmed(campaign)
        ? {
            says: 'Letters would leave without review, and no one confirmed that for the current steps.',
            fix: 'Confirm again, or choose another review policy; either needs wire.',
          }
        : null,
      'Its review policy is confirmed.',
    ),
    check(
      'eased',
      false,
      campaign.eased.length > 0
        ? {
            count: campaign.eased.length,
            says: `Relaxed by someone who may not activate it: ${easedInWords(campaign.eased)}. Activating agrees to that.`,
            fix: 'Review these settings, and undo what you don’t want.',
          }
        : null,
      'No one relaxed its settings since it was activated.',
    ),
    check(
      'sending_switched_off',
      false,
      !sending.enabled || sending.development
        ? {
            says: sending.enabled
              ? 'This instance is in development: letters go only to its built-in sink.'
              : 'Sending is switched off on this instance: every letter will be held.',
            fix: 'Restart the instance without that setting.',
            who: 'operator',
          }
        : null,
      'This instance sends.',
    ),
    check(
      'base_url_local',
      false,
      address.opens_outside || (senders.length > 0 && senders.every(isSandbox))
        ? null
        : {
            says: `Its letters will be held: recipients can’t open links that begin with ${address.base_url}.`,
            fix: 'Set SERVICE_BASE_URL to the public https address of this instance and restart it.',
            who: 'operator',
          },
      'Recipients can open the links in its letters.',
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

const isSandbox = ({ transport_kind }: PoolSender): boolean => transport_kind === 'sandbox';
