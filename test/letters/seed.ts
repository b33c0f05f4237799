// A campaign that is about to send, laid down as rows: a domain with its key, identities, people, steps, and letters that
// wait for their hour with an approval. For tests of the sender alone; what the entry points write is tested with them.
import type postgres from 'postgres';
import type { Sealer } from '../../src/kernel/app.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { Parsed } from '../../src/kernel/database.ts';
import { addressHash } from '../../src/mail/address.ts';
import { newDkimKey, type DkimAlgorithm } from '../../src/mail/compose/dkim.ts';
import { newMessageId } from '../../src/mail/compose/thread.ts';
import { sealed } from '../../src/features/outreach/identities/ways/secrets.ts';
import { fingerprintOf } from '../../src/features/outreach/sends/letter/fingerprint.ts';
import { unsubscribeUrl } from '../../src/features/outreach/unsubscribes/token.ts';

export type Sql = postgres.Sql<Parsed>;
export type Site = { sql: Sql; sealer: Sealer; base_url: string };

const BY = { created_by_kind: 'person', created_by_id: 'seed', created_by_name: 'Seed' };

export type SeededDomain = { id: string; name: string; record: string; selector: string };

export async function seedDomain(
  { sql, sealer }: Site,
  now: Date,
  wishes: { name?: string; algorithm?: DkimAlgorithm; daily_cap?: number } = {},
): Promise<SeededDomain> {
  const { name = 'desk.example', algorithm = 'ed25519', daily_cap = 100_000 } = wishes;
  const id = newId();
  const key = await newDkimKey(algorithm);
  const selector = 'dunnock';
  await sql`insert into domains ${sql({
    id,
    name,
    organisation: name,
    state: 'active',
    verified_at: now,
    checked_at: now,
    // Never: where no one publishes its records the check would find none, and hold everything.
    next_check_at: new Date('2100-01-01T00:00:00Z'),
    dkim_selector: selector,
    dkim_algorithm: algorithm,
    dkim_private: sealed(sealer, 'domains.dkim_private', id, key.private_key),
    dkim_public: key.record,
    daily_cap,
    ...BY,
    created_at: now,
    updated_at: now,
  })}`;
  return { id, name, record: key.record, selector };
}

export type SeededIdentity = { id: string; name: string; address: string; domain: SeededDomain };

export type IdentityWishes = {
  name?: string;
  local?: string;
  /** A mail server on loopback; without one, the sandbox. */
  port?: number;
  columns?: Record<string, unknown>;
};

export async function seedIdentity(
  { sql }: Site,
  domain: SeededDomain,
  now: Date,
  { name = 'Ada Roe', local = 'ada', port, columns = {} }: IdentityWishes = {},
): Promise<SeededIdentity> {
  const id = newId();
  const address = `${local}@${domain.name}`;
  await sql`insert into identities ${sql({
    id,
    domain_id: domain.id,
    name,
    address,
    normalised: address,
    timezone: 'UTC',
    daily_cap: 10_000,
    hourly_cap: 10_000,
    min_gap_s: 0,
    jitter_s: 0,
    ramp_start: 10_000,
    ramp_ceiling: 10_000,
    transport_kind: port === undefined ? 'sandbox' : 'smtp',
    transport: sql.json(port === undefined ? {} : { host: '127.0.0.1', port, security: 'plain', user: null }),
    active: true,
    ...BY,
    created_at: now,
    updated_at: now,
    ...columns,
  } as never)}`;
  return { id, name, address, domain };
}

export type SeededCampaign = { id: string; steps: string[] };

export async function seedCampaign(
  { sql }: Site,
  approver: string,
  now: Date,
  { columns = {}, steps = [0] }: { columns?: Record<string, unknown>; steps?: number[] } = {},
): Promise<SeededCampaign> {
  const id = newId();
  const postal = newId();
  await sql`insert into postal_addresses ${sql({ id: postal, name: 'Office', lines: 'One Road 1', created_at: now })}`;
  await sql`insert into campaigns ${sql({
    id,
    name: 'Bridges',
    name_key: 'bridges',
    state: 'active',
    timezone: 'UTC',
    windows: sql.json([{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00' }]),
    postal_address_id: postal,
    max_touches_per_week_per_person: 50,
    verification_policy: 'any',
    ...BY,
    created_at: now,
    updated_at: now,
    activated_by_kind: 'person',
    activated_by_id: approver,
    activated_by_name: 'Ada Operator',
    activated_at: now,
    ...columns,
  } as never)}`;
  const rows = steps.map((wait_days, position) => ({
    id: newId(),
    campaign_id: id,
    position,
    kind: 'letter',
    wait_days,
    subject: 'Your bridge',
    text: 'Dear you',
    same_thread: position > 0,
  }));
  await sql`insert into sequence_steps ${sql(rows)}`;
  return { id, steps: rows.map((row) => row.id) };
}

export type SeededPerson = { id: string; prospect_id: string; address: string; hash: string };

export async function seedPeople(
  { sql }: Site,
  campaign: SeededCampaign,
  identity: (n: number) => SeededIdentity,
  now: Date,
  count: number,
  timezone: (n: number) => string | null = () => null,
): Promise<SeededPerson[]> {
  const people = Array.from({ length: count }, (_, n) => {
    const address = `person${n}.${campaign.id.slice(-6)}@mail.example`;
    return { id: newId(), prospect_id: newId(), address, hash: addressHash(address), n };
  });
  for (const some of chunks(people)) {
    await sql`insert into people ${sql(
      some.map(({ id, n }) => ({
        id,
        name: `Person ${n}`,
        name_key: `person ${n}`,
        source: 'fair',
        basis: 'legitimate_interest',
        timezone: timezone(n),
        search: '',
        ...BY,
        created_at: now,
        updated_at: now,
      })),
    )}`;
    await sql`insert into person_addresses ${sql(
      some.map(({ id, address, hash }) => ({
        id: newId(),
        person_id: id,
        value: address,
        normalised: address,
        domain: 'mail.example',
        hash,
        is_primary: true,
        position: 0,
      })),
    )}`;
    await sql`insert into prospects ${sql(
      some.map(({ id, prospect_id, n }) => ({
        id: prospect_id,
        campaign_id: campaign.id,
        person_id: id,
        stage: 'enrolled',
        stage_at: now,
        identity_id: identity(n).id,
        step_id: campaign.steps[0],
        enrolled_by_kind: 'person',
        enrolled_by_id: 'seed',
        enrolled_by_name: 'Seed',
        created_at: now,
        updated_at: now,
      })),
    )}`;
  }
  return people.map(({ id, prospect_id, address, hash }) => ({ id, prospect_id, address, hash }));
}

export type LetterWishes = {
  step?: number;
  subject?: string;
  /** The letter before it, that it answers. */
  after?: { message_id: string; references: string[] };
  approved_token?: string;
  cc?: string[];
  columns?: Record<string, unknown>;
};

export type SeededLetter = { id: string; message_id: string; person: SeededPerson };

/** Letters that were approved by `approver` and are due at `due`. */
export async function seedLetters(
  site: Site,
  campaign: SeededCampaign,
  people: readonly SeededPerson[],
  identity: (n: number) => SeededIdentity,
  approver: string,
  due: Date,
  { step = 0, subject = 'Your bridge', after, approved_token, cc = [], columns = {} }: LetterWishes = {},
): Promise<SeededLetter[]> {
  const { sql } = site;
  const letters = people.map((person, n) => {
    const from = identity(n);
    const id = newId();
    const text = `Dear you\n\nNo more letters: ${unsubscribeUrl({ sealer: site.sealer, instance: { base_url: site.base_url } as never }, id)}\n`;
    const fingerprint = fingerprintOf({
      from: { name: from.name, address: from.address, reply_to: null },
      to_address: person.address,
      cc,
      subject,
      text,
      html: null,
      attachments: [],
    });
    return {
      person,
      row: {
        id,
        kind: 'sequence',
        campaign_id: campaign.id,
        prospect_id: person.prospect_id,
        person_id: person.id,
        step_id: campaign.steps[step],
        identity_id: from.id,
        state: 'scheduled',
        subject,
        text,
        to_address: person.address,
        to_hash: person.hash,
        cc,
        cc_hashes: cc.map(addressHash),
        same_thread: after !== undefined,
        message_id: newMessageId(from.domain.name),
        in_reply_to: after?.message_id ?? null,
        message_references: after ? [...after.references, after.message_id] : [],
        fingerprint,
        review_reason: 'every_letter',
        approved_by_kind: 'person',
        approved_by_id: approver,
        approved_by_name: 'Ada Operator',
        approved_at: due,
        approved_fingerprint: fingerprint,
        approved_token: approved_token ?? null,
        scheduled_for: due,
        ...BY,
        created_at: due,
        updated_at: due,
        ...columns,
      },
    };
  });
  for (const some of chunks(letters))
    await sql`insert into sends ${sql(some.map(({ row }) => row) as never)}`;
  return letters.map(({ row, person }) => ({ id: row.id, message_id: row.message_id, person }));
}

function chunks<T>(rows: readonly T[], size = 500): T[][] {
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, n) =>
    rows.slice(n * size, (n + 1) * size),
  );
}
