// The checks of a campaign that are asked of the people in it, and of the time there is for their letters. Pure.
import type { Check, CheckCode } from '../checks.contract.ts';
import { check, many, NO_LETTER, NO_PEOPLE, NONE_ACTIVE, unless } from './check.rules.ts';
import { type PoolSender, sendingDaysLeft } from '../hours.rules.ts';
import type { PreflightFacts } from './preflight.rules.ts';

export function ofPeople({ campaign, people, steps, senders }: PreflightFacts, now: Date): Check[] {
  const n = people.looked_at;
  const nobody = n === 0 ? NO_PEOPLE : null;
  const noLetter = steps.letters === 0 ? (nobody ?? NO_LETTER) : null;
  const some = (code: CheckCode, count: number, says: string, fix: string, holds: string): Check =>
    unless(nobody, check(code, false, count > 0 ? { count, says, fix } : null, holds));
  const letters = Math.max(0, n - people.suppressed) * steps.letters;
  const daily = capacityOf(campaign.daily_cap, senders);
  const days = sendingDaysLeft(campaign, now);
  const late = letters > 0 && days !== Infinity && daily * days < letters;
  return [
    check(
      'no_people',
      false,
      n === 0 ? { says: 'No one is enrolled.', fix: 'Enrol people. This requires wire.' } : null,
      `${many(n, 'person is', 'people are')} enrolled.`,
    ),
    unless(
      noLetter,
      some(
        'missing_variables',
        people.missing_variables,
        `${many(people.missing_variables, 'person has', 'people have')} no value for a field that a letter uses: ${people.missing.slice(0, 3).join(', ')}.`,
        'Add the values, or give the fields a fallback in the letter.',
        'Everyone has a value for each field that the letters use.',
      ),
    ),
    some(
      'missing_basis',
      campaign.require_basis ? people.unfounded : 0,
      `${many(people.unfounded, 'person has', 'people have')} no legal basis with a source.`,
      'Set each person’s legal basis and its source.',
      'Everyone has a legal basis.',
    ),
    some(
      'no_address',
      people.without_address,
      `${many(people.without_address, 'person has', 'people have')} no address.`,
      'Add their addresses, or remove these people from the campaign.',
      'Everyone has an address.',
    ),
    some(
      'unverified_people',
      campaign.verification_policy === 'any' ? 0 : people.unverified,
      campaign.verification_policy === 'deliverable_only'
        ? `${many(people.unverified, 'address is', 'addresses are')} not known to be deliverable, so their letters will be held.`
        : `${many(people.unverified, 'address was', 'addresses were')} never verified.`,
      'Verify the addresses.',
      'Addresses are verified as the campaign requires.',
    ),
    some(
      'suppressed_people',
      people.suppressed,
      `${many(people.suppressed, 'person is', 'people are')} suppressed and won’t get any letters.`,
      'Nothing to do: their letters will be held.',
      'No one enrolled is suppressed.',
    ),
    unless(
      nobody ?? noLetter ?? (daily === 0 ? NONE_ACTIVE : null),
      check(
        'ends_before_finish',
        false,
        late
          ? {
              says: `There’s not enough time: up to ${letters} letters, with ${many(days, 'day', 'days')} left at ${daily} letters per day.`,
              fix: 'Choose a later last day (ends_on), raise the limits, or enrol fewer people.',
            }
          : null,
        'There’s enough time to send every letter.',
      ),
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
