// The machinery over one mailbox, against a real server: signing in over TLS and STARTTLS, and what each thing that can go
// wrong comes out as.
import { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates, TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Secret } from '../../src/kernel/secret.ts';
import { type ImapOptions, openImap } from '../../src/mail/imap/session.ts';
import { readAllowedHosts } from '../../src/net/switches.ts';
import { type Certificate, certificateFor } from '../support/certificate.ts';
import { dovecot, type Dovecot } from '../support/dovecot.ts';
import { rawReceiver } from '../support/receiver.ts';

const HOST = 'imap.mail-host.example';
const PASSWORD = 'correct-horse-of-the-mailbox';
let server: Dovecot;

beforeAll(async () => {
  const certificate = certificateFor([HOST]);
  setDefaultCACertificates([...getCACertificates('default'), certificate.cert]);
  server = await dovecot(certificate, { ann: PASSWORD });
});
afterAll(() => server[Symbol.asyncDispose]());

const options = (more: Partial<ImapOptions> = {}): ImapOptions => ({
  host: HOST,
  port: server.tlsPort,
  security: 'tls',
  user: 'ann',
  password: new Secret(PASSWORD),
  allowedHosts: readAllowedHosts('127.0.0.0/8'),
  lookup: async () => ['127.0.0.1'],
  ...more,
});

/** The server's end of encryption, over a connection that exists. */
function secured(socket: Socket, certificate: Certificate): void {
  new TLSSocket(socket, { isServer: true, ...certificate }).on('error', () => undefined);
}

const mail = (subject: string, body = 'Yes.'): string =>
  `From: dana@acme.example\r\nTo: ann@case.example\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@acme.example>\r\n\r\n${body}\r\n`;

describe('a mailbox that is opened', () => {
  test.each(['tls', 'starttls'] as const)('by %s is read, and nothing in it is changed', async (security) => {
    const port = security === 'tls' ? server.tlsPort : server.port;
    const opened = await openImap(options({ security, port }));
    if (!opened.ok) throw new Error(`${opened.rung}: ${opened.trouble}`);
    const { session } = opened;
    await server.deliver('ann', mail(security));
    const before = await session.open('INBOX');
    const uids = await session.uidsAfter(0);
    expect(before.uid_next).toBe((uids.at(-1) ?? 0) + 1);
    const bytes = await session.bytesOf(uids.at(-1) ?? 0);
    expect(bytes?.toString()).toContain(`Subject: ${security}`);
    expect(await session.specialFolders()).toEqual({ sent: 'Sent', junk: 'Junk' });
    session.close();
  });

  test('is waited on: what arrives ends the waiting at once', async () => {
    const opened = await openImap(options());
    if (!opened.ok) throw new Error(opened.trouble);
    const { session } = opened;
    await session.open('INBOX');
    const [last = 0] = (await session.uidsAfter(0)).toReversed();
    const waited = session.wait(AbortSignal.timeout(20_000));
    await server.deliver('ann', mail('while-waiting'));
    await waited;
    expect(await session.uidsAfter(last)).toHaveLength(1);
    session.close();
  });

  test('gives of a long mail its beginning', async () => {
    const opened = await openImap(options({ limits: { mailBytes: 2_000 } }));
    if (!opened.ok) throw new Error(opened.trouble);
    await server.deliver('ann', mail('long', 'x'.repeat(70).concat('\r\n').repeat(100)));
    await opened.session.open('INBOX');
    const uid = (await opened.session.uidsAfter(0)).at(-1) ?? 0;
    expect((await opened.session.bytesOf(uid))?.byteLength).toBe(2_000);
    const [facts] = await opened.session.factsOf([uid]);
    expect(facts?.size).toBeGreaterThan(7_000);
    opened.session.close();
  });

  test('without a folder of that name says so', async () => {
    const opened = await openImap(options());
    if (!opened.ok) throw new Error(opened.trouble);
    await expect(opened.session.open('Nowhere')).rejects.toMatchObject({ trouble: 'folder' });
    opened.session.close();
  });
});

describe('a mailbox that is not opened', () => {
  test.each([
    ['a password that is refused', { password: new Secret('wrong') }, 'sign_in', 'auth'],
    [
      'a name that the certificate does not hold',
      { host: 'other.example' },
      'encryption',
      'certificate_name',
    ],
    ['an address that may not be called', { allowedHosts: readAllowedHosts('') }, 'address', 'address'],
    ['a name that leads nowhere', { lookup: async () => [] }, 'address', 'dns'],
    ['a port where nobody listens', { port: 9 }, 'connect', 'refused'],
  ] as const)('for %s says so', async (_case, more, rung, trouble) => {
    expect(await openImap(options(more))).toMatchObject({ ok: false, rung, trouble });
  });

  test.each(['tls', 'starttls'] as const)(
    'over %s for a certificate that expired says when',
    async (security) => {
      const old = certificateFor([HOST], { expired: true });
      await using there = await rawReceiver((socket) => {
        if (security === 'tls') return secured(socket, old);
        socket.write('* OK [CAPABILITY IMAP4rev1 STARTTLS] there\r\n');
        socket.on('data', function onLine(line) {
          const [tag = '', command = ''] = line.toString().trim().split(' ');
          if (command === 'CAPABILITY') socket.write('* CAPABILITY IMAP4rev1 STARTTLS\r\n');
          socket.write(`${tag} OK done\r\n`);
          if (command !== 'STARTTLS') return;
          socket.off('data', onLine);
          secured(socket, old);
        });
      });
      const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
      const at = new X509Certificate(old.cert).validToDate;
      expect(await openImap(options({ port: there.port, security, ca: [old.cert] }))).toMatchObject({
        ok: false,
        rung: 'encryption',
        trouble: 'certificate_expired',
        sentence: expect.stringContaining(`certificate expired on ${day.format(at)}:`),
      });
    },
  );

  test('since the host has no encryption to offer is not signed in to', async () => {
    await using plain = await rawReceiver((socket) => {
      socket.write('* OK [CAPABILITY IMAP4rev1] there\r\n');
      socket.on('data', (chunk) => {
        const [tag = ''] = chunk.toString().split(' ');
        socket.write(`* CAPABILITY IMAP4rev1\r\n${tag} OK done\r\n`);
      });
    });
    const opened = await openImap(options({ port: plain.port, security: 'starttls' }));
    expect(opened).toMatchObject({ ok: false, rung: 'encryption', trouble: 'tls_missing' });
  });

  test('since a host greets a stranger as someone signed in is not read without encryption', async () => {
    await using plain = await rawReceiver((socket) => {
      socket.write('* PREAUTH [CAPABILITY IMAP4rev1] welcome\r\n');
      socket.on('data', (chunk) => {
        const [tag = ''] = chunk.toString().split(' ');
        socket.write(`${tag} OK done\r\n`);
      });
    });
    const opened = await openImap(options({ port: plain.port, security: 'starttls' }));
    expect(opened).toMatchObject({ ok: false, trouble: 'tls_missing' });
  });

  test('since a host drips is given up after its time', async () => {
    await using dripping = await rawReceiver((socket) => {
      const timer = setInterval(() => socket.write('*'), 20);
      socket.on('close', () => clearInterval(timer));
      socket.on('error', () => clearInterval(timer));
    });
    const limits = { connectMs: 300, setupMs: 300 };
    const opened = await openImap(options({ port: dripping.port, security: 'starttls', limits }));
    expect(opened).toMatchObject({ ok: false, trouble: 'timeout' });
  });

  test('since a host never ends its line is given up after its bytes', async () => {
    await using endless = await rawReceiver((socket) => {
      const timer = setInterval(() => socket.write('x'.repeat(100_000)), 5);
      socket.on('close', () => clearInterval(timer));
      socket.on('error', () => clearInterval(timer));
    });
    const limits = { stepBytes: 1_000_000 };
    const opened = await openImap(options({ port: endless.port, security: 'starttls', limits }));
    expect(opened).toMatchObject({ ok: false, trouble: 'too_much' });
  });
});
