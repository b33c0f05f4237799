// Campaigns for tests: rows that a test only leans on (a domain, an identity, an address on a letterhead, someone enrolled)
// are written straight into the tables, what it is about goes through the entry points.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Campaign } from '../../src/features/outreach/campaigns/contract.ts';
import type { Sequence } from '../../src/features/outreach/sequences/contract.ts';
import { newId } from '../../src/kernel/ids.ts';
import { addressHash } from '../../src/mail/address.ts';
import type { Answer, RestClient, TestApp } from './app.ts';

export const O = '/api/admin/outreach';

const BY = { created_by_kind: 'person', created_by_id: 'seed', created_by_name: 'Seed' };
const PASSING = { spf: { outcome: 'passing' }, dkim: { outcome: 'passing' }, dmarc: { outcome: 'passing' } };

export type IdentityWishes = {
  active?: boolean;
  domain?: { state?: string; auth?: object; daily_cap?: number };
  columns?: Record<string, unknown>;
};

/** An identity that could send, on a domain of its own. */
export async function anIdentity({ sql, clock }: TestApp, wishes: IdentityWishes = {}): Promise<string> {
  const [id, domain_id, now] = [newId(), newId(), clock.now()];
  const name = `d${randomUUID().slice(0, 8)}.example`;
  const { state = 'active', auth = PASSING, daily_cap = 120 } = wishes.domain ?? {};
  await sql`insert into domains ${sql({
    id: domain_id,
    name,
    organisation: name,
    state,
    ...(state === 'paused' && { paused_by: 'person', paused_reason: 'test', paused_at: now }),
    auth: sql.json(auth as never),
    next_check_at: now,
    dkim_selector: 's',
    dkim_algorithm: 'ed25519',
    dkim_private: 'x',
    dkim_public: 'x',
    daily_cap,
    ...BY,
    created_at: now,
    updated_at: now,
  } as never)}`;
  await sql`insert into identities ${sql({
    id,
    domain_id,
    name: 'Sam Sender',
    address: `sam@${name}`,
    normalised: `sam@${name}`,
    signature_text: 'Sam\nAcme',
    timezone: 'UTC',
    transport_kind: 'sandbox',
    active: wishes.active ?? true,
    ...BY,
    created_at: now,
    updated_at: now,
    ...wishes.columns,
  } as never)}`;
  return id;
}

export async function aPostalAddress({ sql, clock }: TestApp): Promise<string> {
  const id = newId();
  const row = { id, name: 'Office', lines: 'Acme Ltd\n1 Road\nTown', created_at: clock.now() };
  await sql`insert into postal_addresses ${sql(row)}`;
  return id;
}

export async function newCampaign(by: RestClient, given: Record<string, unknown> = {}): Promise<Campaign> {
  const made = await by.rest('POST', `${O}/campaigns`, { name: 'Spring', ...given });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.campaign;
}

export const LETTER = {
  kind: 'letter',
  subject: 'Hello {{ person.given }}',
  text: 'Dear {{ person.given }}, hello.',
};

export async function saveSteps(by: RestClient, campaign: string, steps: unknown[]): Promise<Sequence> {
  const { sequence } = (await by.rest('GET', `${O}/campaigns/${campaign}/sequence`)).body;
  const saved = await by.rest('PUT', `${O}/campaigns/${campaign}/sequence`, {
    revision: sequence.revision,
    steps,
  });
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
  return saved.body.sequence;
}

/** The `seen` of what a caller looks at now: of a campaign, an identity, a domain, whichever record the path reads. */
export async function seenBy(by: RestClient, path: string): Promise<string> {
  const { body } = await by.rest('GET', path);
  const [record] = Object.values(body) as { seen?: string }[];
  return body.seen ?? record?.seen ?? '';
}

export async function setPool(by: RestClient, campaign: string, identities: string[]): Promise<Campaign> {
  const { revision, seen } = (await by.rest('GET', `${O}/campaigns/${campaign}`)).body.campaign;
  const identity_pool = identities.map((identity_id) => ({ identity_id, weight: 1 }));
  const saved = await by.rest('PUT', `${O}/campaigns/${campaign}/pool`, { revision, identity_pool, seen });
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
  return saved.body.campaign;
}

/** A draft that would start. */
export async function readyCampaign(app: TestApp, given: Record<string, unknown> = {}): Promise<Campaign> {
  const postal_address_id = await aPostalAddress(app);
  const { id } = await newCampaign(app.admin, { postal_address_id, ...given });
  await saveSteps(app.admin, id, [LETTER]);
  return await setPool(app.admin, id, [await anIdentity(app)]);
}

/** As the screen does it: with the seen of what was looked at a moment ago. */
export async function activate(by: RestClient, campaign: string): Promise<Answer> {
  const { seen } = (await by.rest('GET', `${O}/campaigns/${campaign}/preflight`)).body;
  return by.rest('POST', `${O}/campaigns/${campaign}/activate`, { seen });
}

export type EnrolledWishes = {
  given?: string | null;
  person?: Record<string, unknown>;
  address?: string | null;
};

/** Someone in a campaign, with an address. */
export async function enrolled(
  { sql, clock }: TestApp,
  campaign_id: string,
  { given = 'Dana', person = {}, address = `p${randomUUID().slice(0, 8)}@firm.example` }: EnrolledWishes = {},
): Promise<{ person_id: string; prospect_id: string }> {
  const [person_id, prospect_id, now] = [newId(), newId(), clock.now()];
  await sql`insert into people ${sql({
    id: person_id,
    name: `${given ?? ''} Roe`.trim(),
    given,
    family: 'Roe',
    name_key: 'roe',
    search: '',
    source: 'a fair',
    basis: 'legitimate_interest',
    ...BY,
    created_at: now,
    updated_at: now,
    ...person,
  } as never)}`;
  if (address !== null)
    await sql`insert into person_addresses ${sql({
      id: newId(),
      person_id,
      value: address,
      normalised: address,
      domain: address.split('@')[1] ?? '',
      hash: addressHash(address),
      is_primary: true,
      position: 0,
    })}`;
  await sql`insert into prospects ${sql({
    id: prospect_id,
    campaign_id,
    person_id,
    stage: 'enrolled',
    stage_at: now,
    enrolled_by_kind: 'person',
    enrolled_by_id: 'seed',
    enrolled_by_name: 'Seed',
    created_at: now,
    updated_at: now,
  })}`;
  return { person_id, prospect_id };
}
