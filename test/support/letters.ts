// A campaign with a sender and people for tests of letters: the rows around a letter are written straight into the tables, the
// letter itself is drafted as the product drafts it.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { draftLetter } from '../../src/features/outreach/sends/draft/draft.store.ts';
import { factsOf } from '../../src/features/outreach/sends/gates/facts.store.ts';
import { gates } from '../../src/features/outreach/sends/gates/gates.rules.ts';
import { lockRows } from '../../src/features/outreach/sends/letter/send.store.ts';
import { applyStop } from '../../src/features/outreach/sends/gates/stops.ts';
import type { Principal } from '../../src/kernel/caller.ts';
import { addressHash } from '../../src/mail/address.ts';
import type { PersonClient, RestClient, TestApp } from './app.ts';

export const O = '/api/admin/outreach';

export const SEQUENCE: Principal = { kind: 'system', id: 'prospects', name: 'the sequence' };

const by = (name: string, who: Principal | PersonClient) => ({
  [`${name}_kind`]: 'kind' in who ? who.kind : 'person',
  [`${name}_id`]: who.id,
  [`${name}_name`]: who.name,
});

export type Desk = { domain_id: string; identity_id: string; postal_id: string };

/** A domain that passes and an identity that is active, of the built-in sink. */
export async function aDesk(app: TestApp, name = `d${randomUUID().slice(0, 8)}.example`): Promise<Desk> {
  const { sql, admin } = app;
  const now = app.clock.now();
  const [domain_id, identity_id, postal_id] = [randomUUID(), randomUUID(), randomUUID()];
  await sql`insert into domains ${sql({
    id: domain_id,
    name,
    organisation: name,
    state: 'active',
    dkim_selector: 's1',
    dkim_algorithm: 'ed25519',
    dkim_private: 'sealed',
    dkim_public: 'public',
    checked_at: now,
    next_check_at: now,
    ...by('created_by', admin),
    created_at: now,
    updated_at: now,
  })}`;
  await sql`insert into identities ${sql({
    id: identity_id,
    domain_id,
    name: 'Ada Operator',
    address: `ada@${name}`,
    normalised: `ada@${name}`,
    signature_text: 'Ada',
    timezone: 'UTC',
    transport_kind: 'sandbox',
    transport: sql.json({ kind: 'sandbox' }),
    active: true,
    ...by('created_by', admin),
    created_at: now,
    updated_at: now,
  })}`;
  await sql`insert into postal_addresses ${sql({ id: postal_id, name: 'Desk', lines: 'Main Street 1\n10115 Berlin', created_at: now })}`;
  return { domain_id, identity_id, postal_id };
}

export type TestCampaign = Desk & { id: string; step_id: string };

/** An active campaign of one letter, open at every hour. */
export async function aCampaign(
  app: TestApp,
  desk: Desk,
  more: Record<string, unknown> = {},
): Promise<TestCampaign> {
  const { sql, admin } = app;
  const now = app.clock.now();
  const [id, step_id] = [randomUUID(), randomUUID()];
  await sql`insert into campaigns ${sql({
    id,
    name: `Campaign ${id.slice(0, 8)}`,
    name_key: id,
    state: 'active',
    timezone: 'UTC',
    windows: sql.json([{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00' }]),
    postal_address_id: desk.postal_id,
    review_bound_revision: 1,
    review_bound_at: now,
    ...by('activated_by', admin),
    activated_at: now,
    ...by('created_by', admin),
    created_at: now,
    updated_at: now,
    ...more,
  } as unknown as Record<string, never>)}`;
  await sql`insert into campaign_identities ${sql({ campaign_id: id, identity_id: desk.identity_id, weight: 1 })}`;
  await sql`insert into sequence_steps ${sql({
    id: step_id,
    campaign_id: id,
    position: 0,
    kind: 'letter',
    subject: 'Your bridge, {{ person.name }}',
    text: 'Dear {{ person.name }},\nwe saw your bridge.',
  })}`;
  return { ...desk, id, step_id };
}

export type TestPerson = { id: string; address: string; hash: string };

export async function somebody(app: TestApp, name = 'Dana Roe'): Promise<TestPerson> {
  const { sql, admin } = app;
  const now = app.clock.now();
  const id = randomUUID();
  const address = `dana.${id.slice(0, 8)}@acme.example`;
  await sql`insert into people ${sql({
    id,
    name,
    name_key: name.toLowerCase(),
    source: 'fair',
    basis: 'legitimate_interest',
    search: '',
    ...by('created_by', admin),
    created_at: now,
    updated_at: now,
  })}`;
  await sql`insert into person_addresses ${sql({
    id: randomUUID(),
    person_id: id,
    value: address,
    normalised: address,
    domain: 'acme.example',
    hash: addressHash(address),
    is_primary: true,
    position: 0,
  })}`;
  return { id, address, hash: addressHash(address) };
}

export async function enrolled(app: TestApp, campaign: TestCampaign, person: TestPerson): Promise<string> {
  const { sql, admin } = app;
  const now = app.clock.now();
  const id = randomUUID();
  await sql`insert into prospects ${sql({
    id,
    campaign_id: campaign.id,
    person_id: person.id,
    stage: 'enrolled',
    stage_at: now,
    step_id: campaign.step_id,
    ...by('enrolled_by', admin),
    created_at: now,
    updated_at: now,
  })}`;
  return id;
}

/** Drafts the letter of the campaign's step, as the sequence does. */
export async function drafted(
  app: TestApp,
  campaign: TestCampaign,
  prospect_id: string,
  scheduled_for = app.clock.now(),
): Promise<string> {
  const made = await app.instance.app.database.transact((tx) =>
    draftLetter(
      tx,
      app.instance.app,
      { prospect_id, step_id: campaign.step_id, scheduled_for },
      SEQUENCE,
      app.clock.now(),
    ),
  );
  if (!made.drafted) throw new Error(made.why);
  return made.send_id;
}

/** A person, their place in the campaign and its letter. */
export async function aLetter(app: TestApp, campaign: TestCampaign, name?: string) {
  const person = await somebody(app, name);
  const prospect_id = await enrolled(app, campaign, person);
  const send_id = await drafted(app, campaign, prospect_id);
  return { person, prospect_id, send_id };
}

export async function readSend(client: RestClient, id: string) {
  const answer = await client.rest('GET', `${O}/sends/${id}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}

/** Reads the letter, and approves it as it was read. */
export async function approved(client: RestClient, id: string) {
  const { send } = await readSend(client, id);
  return client.rest('POST', `${O}/sends/${id}/approve`, { fingerprint: send.fingerprint });
}

export const heldEvents = async (app: TestApp, send_id: string): Promise<string[]> =>
  (
    await app.sql<{ body: string }[]>`
      select body from event_deliveries where event = 'send.held' order by occurred_at, id`
  )
    .map(({ body }) => JSON.parse(body).data as { send_id: string; reason: string })
    .filter((data) => data.send_id === send_id)
    .map(({ reason }) => reason);

/** What the gates of a letter say now. */
export async function verdict(app: TestApp, id: string) {
  const now = app.clock.now();
  const facts = (await factsOf(app.sql, [id], now, app.instance.app)).get(id);
  if (!facts) throw new Error('no facts');
  return gates(facts, now);
}

/** What the sender does with a due letter that its gates stop. */
export async function stopDue(app: TestApp, id: string) {
  const found = await verdict(app, id);
  if (!found) return null;
  const now = app.clock.now();
  const { database } = app.instance.app;
  await database.transact(async (tx) => {
    const [row] = await lockRows(tx, [id]);
    if (!row) throw new Error('gone');
    const emit = async (event: never, data: never) => void (await database.emit(tx, event, data, now));
    await applyStop(tx, row, found.stop, { by: SEQUENCE, now, emit: emit as never });
  });
  return found;
}
