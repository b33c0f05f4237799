// The world of these tests: the desk's own mail server and another company's (two Postfix), everyone's mailboxes (Dovecot), a
// name server that all of them and the product ask, and the product beside them, set up through its entry points.
//
//   desk ── submission, STARTTLS and a password ──▶ ours ──▶ theirs ──LMTP──▶ mailboxes of acme.example
//   desk ◀── IMAP, IDLE ── mailboxes of desk.example ◀──LMTP── ours ◀── what theirs sends back
import { randomInt } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import type { Identity } from '../../src/features/outreach/identities/contract.ts';
import { dovecot, type Dovecot } from '../support/dovecot.ts';
import type { AppOptions, TestApp } from '../support/app.ts';
import { IDENTITIES, MAIL_HOST, openSenders, type Senders } from '../support/senders.ts';
import { freePort } from '../support/server.ts';
import { postfix, type Postfix } from './postfix.ts';
import { fill, mailboxSettings } from './mailboxes.ts';

export const OURS = 'desk.example';
export const THEIRS = 'acme.example';
const PASSWORD = 'correct-horse-of-the-mailbox';

export type World = {
  senders: Senders;
  app: TestApp;
  imap: Dovecot;
  ours: Postfix;
  theirs: Postfix;
  ports: { submission: number; ours: number; theirs: number; small: number; lmtp: number };
  /** Those of `Wider`, by their names. */
  listeners: Record<string, number>;
  /** By the entry points: with the mailbox of its local part, or of `user`; active. */
  identity(local: string, more?: IdentityWishes): Promise<Identity>;
  /** What lies in a folder of a mailbox. */
  mailsOf(user: string, folder?: string): Promise<Buffer[]>;
  close(): Promise<void>;
};

type IdentityWishes = {
  user?: string;
  transport?: object;
  inbound?: object | null;
  active?: boolean;
  columns?: object;
};

/** Further ports with settings that differ from those of the others, and tables for them. */
export type Wider = {
  /** Of the desk's server, to hand letters in at. */
  submissions?: Record<string, Record<string, string>>;
  /** Of the other company's. */
  theirs?: Record<string, Record<string, string>>;
  tables?: Record<string, string>;
  /** Lines of the desk's main.cf. */
  main?: string;
};

/** Whose mailbox is whose: `everyone` has what is sent to p1, p2 and so on, `full` is full, `bob` is aliased. */
const USERS = ['ann', 'bob', 'cleo', 'dave', 'eve', 'everybody', 'dana', 'full'];

export async function openWorld(wishes: AppOptions = {}, wider: Wider = {}): Promise<World> {
  const nameServerAt = {
    address: `127.${randomInt(2, 250)}.${randomInt(250)}.${randomInt(2, 250)}`,
    port: 53,
  };
  const senders = await openSenders({
    baseUrl: 'https://desk.example',
    passes: true,
    ...wishes,
    nameServerAt,
  });
  const { app, certificate } = senders;
  const ports = {
    submission: await freePort(),
    ours: await freePort(),
    theirs: await freePort(),
    small: await freePort(),
    lmtp: await freePort(),
  };
  const listeners: Record<string, number> = {};
  const openListeners = async (wanted: Record<string, Record<string, string>> = {}, usual = {}) =>
    Promise.all(
      Object.entries(wanted).map(async ([name, settings]) => {
        const port = (listeners[name] = await freePort());
        return { port, settings: { ...usual, ...settings } };
      }),
    );
  const imap = await dovecot(
    certificate,
    Object.fromEntries(USERS.map((each) => [each, PASSWORD])),
    mailboxSettings(ports.lmtp),
  );
  await fill(imap, 'full');
  const delivered = `virtual_transport = lmtp:inet:127.0.0.1:${ports.lmtp}\nrecipient_delimiter = +`;
  const theirs = await postfix({
    hostname: `mx.${THEIRS}`,
    nameServer: nameServerAt.address,
    listens: [
      { port: ports.theirs, settings: {} },
      { port: ports.small, settings: { message_size_limit: '1000' } },
      ...(await openListeners(wider.theirs)),
    ],
    tables: {
      mailboxes: USERS.map((user) => `${user}@${THEIRS} ok\n`).join(''),
      aliases: `/^p[0-9]+@/ everybody@${THEIRS}\n/@mail\\.example$/ everybody@${THEIRS}\n/^team@/ gone@partner.example\n`,
      transport: `${OURS} smtp:[127.0.0.1]:${ports.ours}\npartner.example smtp:[127.0.0.1]:${ports.ours}\n`,
      headers: '/^Subject: .*miracle/ REJECT 5.7.1 We do not accept this kind of message\n',
    },
    main: (folder) => `
virtual_mailbox_domains = ${THEIRS}
virtual_mailbox_maps = texthash:${folder}/mailboxes
virtual_alias_domains = mail.example
virtual_alias_maps = regexp:${folder}/aliases
transport_maps = texthash:${folder}/transport
header_checks = regexp:${folder}/headers
smtpd_relay_restrictions = reject_unauth_destination
${delivered}`,
  });
  const submission = {
    smtpd_tls_security_level: 'encrypt',
    smtpd_sasl_auth_enable: 'yes',
    smtpd_sasl_type: 'dovecot',
    smtpd_sasl_path: join(imap.folder, 'run/smtp-sign-in'),
    smtpd_relay_restrictions: 'permit_sasl_authenticated, reject',
  };
  const ours = await postfix({
    hostname: `mail.${OURS}`,
    nameServer: nameServerAt.address,
    listens: [
      { port: ports.submission, settings: submission },
      ...(await openListeners(wider.submissions, submission)),
      { port: ports.ours, settings: { smtpd_relay_restrictions: 'reject_unauth_destination' } },
    ],
    tables: {
      mailboxes: USERS.map((user) => `${user}@${OURS} ok\n`).join(''),
      aliases: `bounce@${OURS} ann@${OURS}\ninfo@${OURS} ann@${OURS}\n`,
      transport: [
        `${THEIRS} smtp:[127.0.0.1]:${ports.theirs}`,
        `forbidden.example smtp:[127.0.0.1]:${ports.theirs}`,
        `small.example smtp:[127.0.0.1]:${ports.small}`,
        'silent.example smtp:[127.0.0.1]:1',
        '',
      ].join('\n'),
      ...wider.tables,
    },
    main: (folder) => `
smtpd_tls_cert_file = ${imap.folder}/cert.pem
smtpd_tls_key_file = ${imap.folder}/key.pem
virtual_mailbox_domains = ${OURS}, partner.example
virtual_mailbox_maps = texthash:${folder}/mailboxes
virtual_alias_maps = texthash:${folder}/aliases
transport_maps = texthash:${folder}/transport
maximal_queue_lifetime = 12s
bounce_queue_lifetime = 12s
delay_warning_time = 3s
${wider.main ?? ''}
${delivered}`,
  });

  // Of the two algorithms the one that every verifier knows.
  const domain = await senders.add(OURS, { dkim_algorithm: 'rsa' });
  await senders.publish(domain);
  expect((await senders.onDomain(domain.id, 'check')).state).toBe('active');
  return {
    senders,
    app,
    imap,
    ours,
    theirs,
    ports,
    listeners,
    async identity(local, { user = local, transport = {}, inbound = {}, active = true, columns = {} } = {}) {
      const made = await app.admin.rest('POST', IDENTITIES, {
        name: 'Ann Example',
        address: `${local}@${OURS}`,
        daily_cap: 10_000,
        hourly_cap: 10_000,
        min_gap_s: 0,
        jitter_s: 0,
        ramp: { start: 10_000, ceiling: 10_000 },
        transport: { ...smtp(ports.submission, user), ...transport },
        inbound:
          inbound === null
            ? { kind: 'none' }
            : {
                kind: 'imap',
                host: MAIL_HOST,
                port: imap.tlsPort,
                security: 'tls',
                user,
                secret: PASSWORD,
                ...inbound,
              },
        ...columns,
      });
      expect(made.status, JSON.stringify(made.body)).toBe(201);
      expect(made.body.identity.domain_id).toBe(domain.id);
      return active ? await senders.onIdentity(made.body.identity.id, 'activate') : made.body.identity;
    },
    async mailsOf(user, folder) {
      const box = join(imap.folder, 'mail', user, ...(folder ? [`.${folder}`] : []));
      const paths = await Promise.all(
        ['new', 'cur'].map(async (each) =>
          (await readdir(join(box, each)).catch(() => [])).map((name) => join(box, each, name)),
        ),
      );
      return Promise.all(
        paths
          .flat()
          .toSorted()
          .map((path) => readFile(path)),
      );
    },
    async close() {
      await senders.close();
      for (const each of [ours, theirs, imap]) await each[Symbol.asyncDispose]();
    },
  };
}

const smtp = (port: number, user: string): object => ({
  kind: 'smtp',
  host: MAIL_HOST,
  port,
  security: 'starttls',
  user,
  secret: PASSWORD,
});

/** Waits until nothing in it fails any more. */
export const comes = <T>(look: () => Promise<T>, timeout = 60_000): Promise<T> =>
  vi.waitFor(look, { timeout, interval: 200 });
