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
      steps.doing === 0
        ? { says: 'The campaign has no letter or task.', fix: 'Add a letter or a task to the steps.' }
        : null,
      'The campaign has steps.',
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
        'All steps are valid.',
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
        ? { says: 'The pool has no identity.', fix: 'Add an identity to the pool. This requires wire.' }
        : null,
      'The pool has an identity.',
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
              fix: 'Activate an identity in the pool. This requires wire.',
            }
          : null,
        'At least one identity in the pool is active.',
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
        'At least one sending domain is active.',
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
              says: `SPF, DKIM or DMARC fails for ${failing[0]?.domain ?? ''}.`,
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
              says: `SPF, DKIM or DMARC couldn’t be checked for ${unknown[0]?.domain ?? ''}.`,
              fix: 'Check the domain again.',
            }
          : null,
        'Authentication was checked for every sender.',
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
            says: 'The campaign’s hours and its senders’ working hours don’t overlap.',
            fix: 'Extend the campaign’s hours or a sender’s working hours.',
          },
      'The campaign’s hours and its senders’ working hours overlap.',
    ),
    check(
      'ended',
      true,
      ended
        ? {
            says: `The campaign’s last day was ${ends_on}.`,
            fix: 'Choose a later last day (ends_on), or remove it.',
          }
        : null,
      'The campaign’s last day hasn’t passed.',
    ),
    check(
      'postal_address',
      true,
      postal_address_id === null
        ? {
            says: 'The law requires a postal address, and the campaign has none.',
            fix: 'Choose a postal address in the campaign’s settings.',
          }
        : null,
      'Every letter includes a postal address.',
    ),
    check(
      'review_confirmation_stale',
      true,
      review_policy === 'none' && !isConfirmed(campaign)
        ? {
            says: 'Letters would go out without review, and no one has confirmed that for the current steps.',
            fix: 'Confirm the current steps, or choose another review policy. Both require wire.',
          }
        : null,
      'The review policy is confirmed.',
    ),
    check(
      'eased',
      false,
      campaign.eased.length > 0
        ? {
            count: campaign.eased.length,
            says: `Someone without permission to activate this campaign relaxed its settings: ${easedInWords(campaign.eased)}. If you activate it, you accept these changes.`,
            fix: 'Review these settings and undo any that you don’t want.',
          }
        : null,
      'No settings were relaxed since the last activation.',
    ),
    check(
      'sending_switched_off',
      false,
      !sending.enabled || sending.development
        ? {
            says: sending.enabled
              ? 'This instance is in development mode: letters only go to its built-in sink.'
              : 'Sending is turned off on this instance, so every letter will be held.',
            fix: 'Restart the instance without SERVICE_SENDING=off or SERVICE_DEVELOPMENT=1.',
            who: 'operator',
          }
        : null,
      'Sending is on.',
    ),
    check(
      'base_url_local',
      false,
      address.opens_outside || (senders.length > 0 && senders.every(isSandbox))
        ? null
        : {
            says: `Letters will be held, because recipients can’t open links that begin with ${address.base_url}.`,
            fix: 'Set SERVICE_BASE_URL to the public https address of this instance and restart it.',
            who: 'operator',
          },
      'Recipients can open the links in the letters.',
    ),
    check(
      'unsubscribe',
      false,
      unsubscribe_mode === 'one_click'
        ? null
        : {
            says: 'Letters have no unsubscribe link, which large mailbox providers expect.',
            fix: 'Add the one-click link in the campaign’s settings (unsubscribe_mode: one_click).',
          },
      'Every letter has an unsubscribe link.',
    ),
  ];
}

const isSandbox = ({ transport_kind }: PoolSender): boolean => transport_kind === 'sandbox';
