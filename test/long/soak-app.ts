// What a soak works on: an instance set up through its entry points, with agents, sessions, a campaign whose letters no one needs to
// read first, a mail server that counts, mailboxes on a real IMAP server and a receiver of events. Only the identities are
// written as rows, because no test publishes records of a domain.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { Secret } from '../../src/kernel/secret.ts';
import { sealed } from '../../src/features/outreach/identities/ways/secrets.ts';
import { openInstanceSealer } from '../../src/store/instance-key.ts';
import { keyOfText } from '../../src/store/seal.ts';
import { seedDomain, seedIdentity, type Sql } from '../letters/seed.ts';
import { activate, O, saveSteps, setPool } from '../support/campaigns.ts';
import { certificateFor } from '../support/certificate.ts';
import { dovecot, type Dovecot } from '../support/dovecot.ts';
import type { RestClient } from '../support/app.ts';
import { receiver, type Receiver } from '../support/receiver.ts';
import { smtpSink, type SmtpSink } from '../support/smtp.ts';
import { temporaryFolder } from '../commands/holding.ts';

const KEY = 'the master key of the soak';
const IDENTITIES = 3;
const PASSWORD = 'correct horse battery';
const MAILBOX_PASSWORD = 'correct-horse-of-the-mailbox';
/** One post in so many is failed at its first attempt, and so comes again a minute later. */
const FAILS_ONE_IN = 100;

export type Outside = AsyncDisposable & {
  sink: SmtpSink;
  imap: Dovecot;
  hook: Receiver;
  /** Ids of deliveries that were taken, once for each time. */
  taken: string[];
  bodies: Map<string, any>;
  /** What processes of the product need to know of it. */
  settings: Record<string, string>;
};

export async function openOutside(): Promise<Outside> {
  const certificate = certificateFor(['127.0.0.1']);
  const authority = join(temporaryFolder(), 'authority.pem');
  writeFileSync(authority, certificate.cert);
  const users = Object.fromEntries(
    Array.from({ length: IDENTITIES }, (_, n) => [`user${n}`, MAILBOX_PASSWORD]),
  );
  const taken: string[] = [];
  const bodies = new Map<string, any>();
  const failed = new Set<string>();
  const [sink, imap] = [await smtpSink(), await dovecot(certificate, users)];
  const hook = await receiver((response) => {
    const { headers, body } = hook.arrived.pop()!;
    const id = String(headers['x-service-delivery']);
    if (!failed.has(id) && Math.random() * FAILS_ONE_IN < 1) {
      failed.add(id);
      response.writeHead(500).end();
      return;
    }
    taken.push(id);
    bodies.set(id, JSON.parse(body.toString()));
    response.writeHead(200).end();
  });
  return {
    sink,
    imap,
    hook,
    taken,
    bodies,
    settings: {
      SERVICE_MASTER_KEY: KEY,
      SERVICE_PROVISIONING_KEY: KEY,
      SERVICE_BASE_URL: 'https://desk.example',
      SERVICE_EVENTS_ALLOW_PRIVATE: '1',
      SERVICE_ALLOW_PRIVATE_HOSTS: '127.0.0.1',
      NODE_EXTRA_CA_CERTS: authority,
    },
    async [Symbol.asyncDispose]() {
      for (const each of [sink, imap, hook]) await each[Symbol.asyncDispose]();
    },
  };
}

export type SoakApp = {
  /** The administrator's session, good on every node. */
  cookie: string;
  /** Values of tokens: agents of the board, and one that may enrol. */
  agents: string[];
  wired: string;
  campaign: string;
  /** The mailbox of an identity, by its address. */
  mailboxes: Map<string, string>;
};

export async function layApp(sql: Sql, url: string, outside: Outside, agents: number): Promise<SoakApp> {
  let cookie = '';
  const rest: RestClient['rest'] = async (method, path, body) => {
    const answer = await fetch(url + path, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(cookie && { cookie, origin: url }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    cookie ||= answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    return { status: answer.status, body: await answer.json(), headers: answer.headers };
  };
  const admin: RestClient = { rest };
  const done = async (method: string, path: string, body?: unknown): Promise<any> => {
    const answer = await rest(method, path, body);
    expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  };
  await done('POST', '/api/auth/setup', {
    key: KEY,
    name: 'Ada',
    email: 'ada@example.com',
    password: PASSWORD,
  });
  const mint = async (name: string, wire: boolean): Promise<string> =>
    (await done('POST', '/api/admin/tokens', { name, mode: 'user', scopes: { wire } })).value;
  const values: string[] = [];
  for (let n = 0; n < agents; n++) values.push(await mint(`agent-${n}`, false));
  const wired = await mint('wired', true);
  await done('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
  await done('PUT', '/api/admin/events/webhook', { url: `http://127.0.0.1:${outside.hook.port}/` });

  const { ids, mailboxes } = await layIdentities(sql, outside);
  const { postal_address } = await done('POST', `${O}/postal-addresses`, {
    name: 'Office',
    lines: 'One Road 1',
  });
  const { campaign } = await done('POST', `${O}/campaigns`, {
    name: 'Bridges',
    timezone: 'UTC',
    // No test asks the network about a domain.
    verification_policy: 'any',
    postal_address_id: postal_address.id,
    windows: [{ days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00' }],
  });
  const at = `${O}/campaigns/${campaign.id}`;
  const sequence = await saveSteps(admin, campaign.id, [
    { kind: 'letter', subject: 'Your bridge', text: 'Dear {{ person.name }},\nwe saw your bridge.' },
    // Someone always has a step to come, or the campaign would be finished between two enrolments and take no one on.
    { kind: 'task', wait: { days: 30, hours: 0 }, task: { title: 'Ask {{ person.name }}' } },
  ]);
  await setPool(admin, campaign.id, ids);
  const { seen } = (await done('GET', at)).campaign;
  await done('PUT', `${at}/no-human-review`, { confirmed: true, sequence_revision: sequence.revision, seen });
  const { revision, seen: confirmed } = (await done('GET', at)).campaign;
  await done('PUT', `${at}/review-policy`, { revision, review_policy: 'none', seen: confirmed });
  const active = await activate(admin, campaign.id);
  expect(active.status, JSON.stringify(active.body)).toBe(200);
  return { cookie, agents: values, wired, campaign: campaign.id, mailboxes };
}

async function layIdentities(
  sql: Sql,
  { sink, imap }: Outside,
): Promise<{ ids: string[]; mailboxes: Map<string, string> }> {
  const now = new Date();
  const sealer = await openInstanceSealer(sql, keyOfText(KEY), 'main');
  const site = { sql, sealer, base_url: 'https://desk.example' };
  const domain = await seedDomain(site, now);
  const ids: string[] = [];
  const mailboxes = new Map<string, string>();
  for (let n = 0; n < IDENTITIES; n++) {
    const { id, address } = await seedIdentity(site, domain, now, { local: `from${n}`, port: sink.port });
    const user = `user${n}`;
    const inbound = { host: '127.0.0.1', port: imap.tlsPort, security: 'tls', user, mailbox: 'INBOX' };
    const secret = sealed(sealer, 'identities.inbound_secret', id, new Secret(MAILBOX_PASSWORD));
    await sql`
      update identities set inbound_kind = 'imap', inbound = ${sql.json(inbound)}, inbound_secret = ${secret}
      where id = ${id}`;
    ids.push(id);
    mailboxes.set(address, user);
  }
  return { ids, mailboxes };
}
