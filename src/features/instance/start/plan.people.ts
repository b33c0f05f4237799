// People of a made-up desk and the companies they work for. Every address ends in `.example`, which no one can have.
import { addressHash } from '../../../mail/address.ts';
import { DAY_MS, after } from '../../../kernel/clock.ts';
import { searchVector } from '../../../kernel/words.ts';
import { nameKey, personVector } from '../../crm/people/rules.ts';
import { by, Json, type Plan } from './plan.ts';
import { COUNTRIES, FAMILY, GIVEN, PLACES, SIZES, TAGS, TITLES, TRADES } from './words.rules.ts';

export type Metric = {
  id: string;
  name: string;
  given: string;
  address: string;
  hash: string;
  company_id: string;
  company: string;
};

const PEOPLE_A_COMPANY = 3;

const ascii = (text: string): string =>
  text
    .replace(/ø/gi, 'o')
    .normalize('NFD')
    .replace(/[^a-z0-9 -]/gi, '')
    .toLowerCase()
    .replace(/ +/g, '-');

export function planPeople(plan: Plan, count: number): Metric[] {
  const { chance, wishes } = plan;
  const figures: Metric[] = [];
  const taken = new Set<string>();
  let company = { id: '', name: '', domain: '', country: '', timezone: '' };
  for (let n = 0; n < count; n++) {
    const created = after(wishes.now, -(20 + chance.below(40)) * DAY_MS);
    if (n % PEOPLE_A_COMPANY === 0) company = planCompany(plan, n / PEOPLE_A_COMPANY, created);
    const [given, family] = [chance.pick(GIVEN), chance.pick(FAMILY)];
    const name = `${given} ${family}`;
    let address = `${ascii(given)}.${ascii(family)}@${company.domain}`;
    if (taken.has(address)) address = address.replace('@', `${n}@`);
    taken.add(address);
    const id = chance.id(created);
    const title = chance.pick(TITLES);
    plan.add('people', {
      id,
      name,
      given,
      family,
      name_key: nameKey(name),
      title,
      company_id: company.id,
      timezone: company.timezone,
      country: company.country,
      source: 'Sample data',
      basis: 'legitimate_interest',
      tags: chance.next() < 0.4 ? [chance.pick(TAGS)] : [],
      owner: n % 4 === 0 ? wishes.user_id : null,
      search: personVector({ name, title, company: company.name, addresses: [address] }),
      ...by('created_by', wishes.by),
      created_at: created,
      updated_at: created,
    });
    const verdict = chance.weighted({ DELIVERABLE: 80, RISKY: 12, UNKNOWN: 8 });
    const hash = addressHash(address);
    plan.add('person_addresses', {
      id: chance.id(created),
      person_id: id,
      value: address,
      normalised: address,
      domain: company.domain,
      hash,
      is_primary: true,
      position: 0,
      verdict,
      verdict_reason: 'sample',
      rungs: new Json([]),
      verified_at: created,
    });
    figures.push({ id, name, given, address, hash, company_id: company.id, company: company.name });
  }
  return figures;
}

function planCompany(plan: Plan, n: number, created: Date) {
  const place = PLACES[n % PLACES.length] ?? '';
  const trade = TRADES[(n + Math.floor(n / PLACES.length)) % TRADES.length] ?? '';
  const again = Math.floor(n / (PLACES.length * TRADES.length));
  const name = `${place} ${trade}${again > 0 ? ` ${again + 1}` : ''}`;
  const domain = `${ascii(name)}.example`;
  const [country, timezone] = plan.chance.pick(COUNTRIES);
  const id = plan.chance.id(created);
  plan.add('companies', {
    id,
    name,
    name_key: nameKey(name),
    domain,
    timezone,
    country,
    size: plan.chance.pick(SIZES),
    search: searchVector(name, domain),
    created_at: created,
    updated_at: created,
  });
  return { id, name, domain, country, timezone };
}
