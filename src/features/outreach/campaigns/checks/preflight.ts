// Reads what the checks of a campaign are asked of. People are looked at in one query, and only those for whom a letter could
// lack something cost a rendering.
import type { Reader } from '../../../../kernel/database.ts';
import type { App } from '../../../../kernel/app.ts';
import type { MergeValues } from '../../../../mail/letters/letter.ts';
import { openUnresolved } from '../../../../mail/letters/render.ts';
import type { SequenceStep } from '../../sequences/contract.ts';
import { opensOutside } from '../../../../net/reach.ts';
import { faultsOf } from '../../sequences/rules.ts';
import { readingOf, stepsOf } from '../../sequences/store.ts';
import type { Check } from '../checks.contract.ts';
import type { PoolSender } from '../hours.rules.ts';
import { type CheckedPerson, livePeople } from './people.store.ts';
import { checksOf, type PreflightFacts } from './preflight.rules.ts';
import { postalLines, sendersOf } from './senders.store.ts';
import type { LoadedCampaign } from '../store.ts';

/** More people than this are not looked at one by one: what the first of them lack, others lack too. */
const LOOKED_AT_MAX = 20_000;

export async function preflight(
  db: Reader,
  campaign: LoadedCampaign,
  now: Date,
  { sending, instance }: Pick<App, 'sending' | 'instance'>,
): Promise<Check[]> {
  const steps = await stepsOf(db, campaign.id);
  const senders = await sendersOf(db, campaign.id);
  const people = await livePeople(db, campaign.id, LOOKED_AT_MAX, now);
  const postal_address = await postalLines(db, campaign.postal_address_id);
  const letters = steps.filter((step) => step.kind === 'letter');
  const facts: PreflightFacts = {
    campaign,
    steps: {
      doing: steps.filter(({ kind }) => kind === 'letter' || kind === 'task').length,
      letters: letters.length,
      faulty: await faultySteps(db, steps),
    },
    senders,
    people: {
      looked_at: people.length,
      ...countsOf(people, campaign),
      ...missing(people, letters, campaign, senders, postal_address),
    },
    sending,
    address: { base_url: instance.base_url, opens_outside: opensOutside(instance.base_url) },
  };
  return checksOf(facts, now);
}

/** What could be saved once may have lost its field since. */
async function faultySteps(db: Reader, steps: readonly SequenceStep[]): Promise<number> {
  const given = steps.map((step) => ({ ...step, attachments: step.attachments.map(({ id }) => id) }));
  const faults = faultsOf(given, {
    ...(await readingOf(db)),
    attachments: new Set(given.flatMap(({ attachments }) => attachments)),
    foreign: new Set(),
  });
  return new Set(faults.map(([name]) => name.split('.')[1])).size;
}

function countsOf(people: readonly CheckedPerson[], { verification_policy }: LoadedCampaign) {
  const count = (is: (person: CheckedPerson) => boolean): number => people.filter(is).length;
  const wanted = verification_policy === 'deliverable_only' ? ['DELIVERABLE'] : null;
  return {
    unfounded: count(({ founded }) => !founded),
    without_address: count(({ to }) => to === null),
    unverified: count(
      ({ to }) => to !== null && (wanted ? !wanted.includes(to.verdict ?? '') : to.verdict === null),
    ),
    suppressed: count(({ suppressed }) => suppressed),
  };
}

function missing(
  people: readonly CheckedPerson[],
  letters: readonly SequenceStep[],
  campaign: LoadedCampaign,
  senders: readonly PoolSender[],
  postal_address: string | null,
): { missing_variables: number; missing: string[] } {
  const sender = senders.find(({ active }) => active) ?? senders[0] ?? null;
  const unsubscribe =
    campaign.unsubscribe_mode === 'one_click'
      ? ({ mode: 'one_click', url: 'https://unsubscribe.invalid/' } as const)
      : ({ mode: 'reply_only' } as const);
  const lacking = new Map<string, number>();
  let lack = 0;
  const asks = letters.map(({ subject, text, html }) =>
    openUnresolved({ subject: subject ?? '', text: text ?? '', html }, { unsubscribe, postal_address }),
  );
  for (const person of people) {
    const values = valuesOf(person, campaign, sender);
    const names = asks.flatMap((ask) => ask(values));
    if (names.length > 0) lack += 1;
    for (const name of new Set(names)) lacking.set(name, (lacking.get(name) ?? 0) + 1);
  }
  const worst = [...lacking].toSorted(([, a], [, b]) => b - a).map(([name]) => name);
  return { missing_variables: lack, missing: worst };
}

/** The merge values of one person, as a letter of this campaign by this sender says them. */
export const valuesOf = (
  { person, custom, company }: Pick<CheckedPerson, 'person' | 'custom' | 'company'>,
  { name, goal }: Pick<LoadedCampaign, 'name' | 'goal'>,
  sender: Pick<PoolSender, 'name' | 'address'> | null,
): MergeValues => ({
  person,
  custom,
  company,
  campaign: { name, goal },
  identity: sender ? { name: sender.name, address: sender.address } : {},
});
