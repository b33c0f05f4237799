// A house with a name server and a mail server of the test's own, and domains and identities made in it through the doors.
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect } from 'vitest';
import type { Domain } from '../../src/features/outreach/domains/contract.ts';
import { type Pause, pauseDomain } from '../../src/features/outreach/domains/state.store.ts';
import type { Identity } from '../../src/features/outreach/identities/contract.ts';
import { type Certificate, certificateFor } from './certificate.ts';
import { nameServer, type NameServer } from './dns.ts';
import {
  type Answer,
  openTestHouse,
  type HouseWishes,
  type RestClient,
  type TestHouse,
  type TokenClient,
} from './house.ts';
import { smtpSink, type SmtpSink } from './smtp.ts';

export const DOMAINS = '/api/admin/outreach/domains';
export const IDENTITIES = '/api/admin/outreach/identities';
export const HOUR_MS = 3_600_000;

/** Of the mail server, which lets nobody else in. */
export const MAIL_HOST = 'smtp.mail-host.example';
export const PASSWORD = 'correct-horse-of-the-mail-server';

export type Named = { id: string; name: string };

export type Senders = {
  house: TestHouse;
  dns: NameServer;
  sink: SmtpSink;
  /** The mail server's, which is trusted. */
  certificate: Certificate;
  /** An administrator's tokens, one of them with wire. */
  token: TokenClient;
  wired: TokenClient;
  freshName(): string;
  /** Publishes what the product asks for. */
  publish(domain: Named): Promise<void>;
  add(name?: string, more?: object): Promise<Domain>;
  /** Added, published and checked. */
  active(name?: string): Promise<Domain>;
  onDomain(id: string, what: string, body?: object, as?: RestClient): Promise<Domain>;
  readDomain(id: string): Promise<Domain>;
  /** As the warden does it; gives whether it did. */
  wardenPauses(id: string, pause?: Partial<Extract<Pause, { by: 'warden' }>>): Promise<boolean>;
  evidence(): Extract<Pause, { by: 'warden' }>['evidence'];
  /** A transport through the mail server. */
  smtp(more?: object): object;
  anIdentity(more?: object, domain?: { name: string }): Promise<Identity>;
  anActive(): Promise<Identity>;
  readIdentity(id: string): Promise<Identity>;
  onIdentity(id: string, what: string, as?: RestClient): Promise<Identity>;
  patch(id: string, change: object, as?: RestClient): ReturnType<RestClient['rest']>;
  close(): Promise<void>;
};

export async function openSenders(
  wishes: HouseWishes & { nameServerAt?: { address: string; port: number } } = {},
): Promise<Senders> {
  const dns = await nameServer(wishes.nameServerAt);
  dns.says(MAIL_HOST, { addresses: ['127.0.0.1'] });
  const certificate = certificateFor([MAIL_HOST]);
  setDefaultCACertificates([...getCACertificates('default'), certificate.cert]);
  const sink = await smtpSink({ certificate, login: { user: 'ann', password: PASSWORD } });
  const house = await openTestHouse({
    dnsServer: dns.address,
    lookup: dns.lookup,
    allowHosts: '127.0.0.0/8',
    ...wishes,
  });
  const token = await house.token();
  const wired = await house.token({ scopes: { wire: true } });
  let count = 0;

  const posted = async (
    path: string,
    body: object,
    as: RestClient = house.admin,
  ): Promise<Answer['body']> => {
    const answer = await as.rest('POST', path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };
  const got = async (path: string): Promise<Answer['body']> => (await house.admin.rest('GET', path)).body;

  const senders: Senders = {
    house,
    dns,
    sink,
    certificate,
    token,
    wired,
    freshName: () => `case${++count}.example`,
    async publish({ id, name }) {
      const { records } = await got(`${DOMAINS}/${id}/records`);
      dns.says(name, { mx: [[10, `mx.${name}`]] });
      for (const { name: at, value, type } of records)
        if (type === 'TXT') dns.says(at, { txt: [value], mx: [[10, `mx.${name}`]] });
    },
    add: async (name = senders.freshName(), more = {}) =>
      (await posted(DOMAINS, { name, dkim_algorithm: 'ed25519', ...more })).domain,
    async active(name) {
      const domain = await senders.add(name);
      await senders.publish(domain);
      const checked = await senders.onDomain(domain.id, 'check');
      expect(checked.state).toBe('active');
      return checked;
    },
    async onDomain(id, what, body = {}, as) {
      const seen = what === 'resume' ? { seen: (await senders.readDomain(id)).seen } : {};
      return (await posted(`${DOMAINS}/${id}/${what}`, { ...seen, ...body }, as)).domain;
    },
    readDomain: async (id) => (await got(`${DOMAINS}/${id}`)).domain,
    async wardenPauses(id, pause = {}) {
      const { ground, clock } = house.instance.house;
      const now = clock.now();
      const full = { by: 'warden' as const, reason: 'hard_bounces', evidence: senders.evidence(), ...pause };
      return ground.transact((tx) =>
        pauseDomain(tx, (event, data) => ground.emit(tx, event, data, now), id, full, now),
      );
    },
    evidence() {
      const at = house.clock.now().toISOString();
      const figures = { sent: 120, count: 8, rate: 0.066, threshold: 0.05, samples: [] };
      return { window_start: at, window_end: at, ...figures };
    },
    smtp: (more = {}) => ({
      kind: 'smtp',
      host: MAIL_HOST,
      port: sink.port,
      security: 'starttls',
      user: 'ann',
      secret: PASSWORD,
      ...more,
    }),
    async anIdentity(more = {}, domain) {
      const { name } = domain ?? (await senders.active());
      const wish = { name: 'Ann Example', address: `ann@${name}`, transport: senders.smtp(), ...more };
      return (await posted(IDENTITIES, wish)).identity;
    },
    anActive: async () => senders.onIdentity((await senders.anIdentity()).id, 'activate'),
    readIdentity: async (id) => (await got(`${IDENTITIES}/${id}`)).identity,
    async onIdentity(id, what, as) {
      const seen = what === 'activate' ? { seen: (await senders.readIdentity(id)).seen } : {};
      return (await posted(`${IDENTITIES}/${id}/${what}`, seen, as)).identity;
    },
    async patch(id, change, as = house.admin) {
      const { revision } = await senders.readIdentity(id);
      return as.rest('PATCH', `${IDENTITIES}/${id}`, { revision, ...change });
    },
    async close() {
      await house.close();
      await sink[Symbol.asyncDispose]();
      await dns[Symbol.asyncDispose]();
    },
  };
  return senders;
}
