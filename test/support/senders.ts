// An app with a name server and a mail server of the test's own, and domains and identities made in it through the entry points.
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect } from 'vitest';
import type { Domain } from '../../src/features/outreach/domains/contract.ts';
import { type Pause, pauseDomain } from '../../src/features/outreach/domains/state.store.ts';
import type { Identity } from '../../src/features/outreach/identities/contract.ts';
import { type Certificate, certificateFor } from './certificate.ts';
import { nameServer, type NameServer } from './dns.ts';
import {
  type Answer,
  openTestApp,
  type AppOptions,
  type RestClient,
  type TestApp,
  type TokenClient,
} from './app.ts';
import { smtpSink, type SmtpSink } from './smtp.ts';

export const DOMAINS = '/api/admin/outreach/domains';
export const IDENTITIES = '/api/admin/outreach/identities';
export const HOUR_MS = 3_600_000;

/** Of the mail server, which lets no one else in. */
export const MAIL_HOST = 'smtp.mail-host.example';
export const PASSWORD = 'correct-horse-of-the-mail-server';

export type Named = { id: string; name: string };

export type Senders = {
  app: TestApp;
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
  wishes: AppOptions & { nameServerAt?: { address: string; port: number } } = {},
): Promise<Senders> {
  const dns = await nameServer(wishes.nameServerAt);
  dns.says(MAIL_HOST, { addresses: ['127.0.0.1'] });
  const certificate = certificateFor([MAIL_HOST]);
  setDefaultCACertificates([...getCACertificates('default'), certificate.cert]);
  const sink = await smtpSink({ certificate, login: { user: 'ann', password: PASSWORD } });
  const app = await openTestApp({
    dnsServer: dns.address,
    lookup: dns.lookup,
    allowHosts: '127.0.0.0/8',
    ...wishes,
  });
  const token = await app.token();
  const wired = await app.token({ scopes: { wire: true } });
  let count = 0;

  const posted = async (path: string, body: object, as: RestClient = app.admin): Promise<Answer['body']> => {
    const answer = await as.rest('POST', path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };
  const got = async (path: string): Promise<Answer['body']> => (await app.admin.rest('GET', path)).body;

  const senders: Senders = {
    app,
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
      const { database, clock } = app.instance.app;
      const now = clock.now();
      const full = { by: 'warden' as const, reason: 'hard_bounces', evidence: senders.evidence(), ...pause };
      return database.transact((tx) =>
        pauseDomain(tx, (event, data) => database.emit(tx, event, data, now), id, full, now),
      );
    },
    evidence() {
      const at = app.clock.now().toISOString();
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
    async patch(id, change, as = app.admin) {
      const { revision } = await senders.readIdentity(id);
      return as.rest('PATCH', `${IDENTITIES}/${id}`, { revision, ...change });
    },
    async close() {
      await app.close();
      await sink[Symbol.asyncDispose]();
      await dns[Symbol.asyncDispose]();
    },
  };
  return senders;
}
