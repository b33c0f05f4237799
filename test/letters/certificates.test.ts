// Encryption that can't be trusted or isn't offered: the identity is held with what is wrong, nothing is retried by a timer, and
// an authority of the operator's own is trusted by its setting.
import { X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { certificateFor, type Certificate } from '../support/certificate.ts';
import type { TestApp } from '../support/app.ts';
import { scriptedSmtp, smtpSink } from '../support/smtp.ts';
import { type Desk, layDesk, openDesk } from './desk.ts';

const HOST = 'smtp.operator.example';
const own = certificateFor([HOST]);
const expired = certificateFor([HOST], { expired: true });
const other = certificateFor(['other.example']);
const stranger = certificateFor([HOST]);

let app: TestApp;
beforeAll(async () => {
  app = await openDesk({
    lookup: async () => ['127.0.0.1'],
    allowHosts: HOST,
    mailCa: [own, expired, other].map(({ cert }) => cert),
  });
});
afterAll(() => app?.close());

type Security = 'tls' | 'starttls';

const deskAt = (port: number, security: Security): Promise<Desk> =>
  layDesk(app, {
    people: 2,
    identity: {
      port,
      columns: { transport: app.sql.json({ host: HOST, port, security, user: null }) },
    },
  });

const identityOf = async ({ identity: { id } }: Desk) =>
  (await app.admin.rest('GET', `/api/admin/outreach/identities/${id}`)).body.identity;

const testOf = async ({ identity: { id } }: Desk) =>
  (await app.admin.rest('POST', `/api/admin/outreach/identities/${id}/test`, {})).body;

const encryption = (tested: { rungs: { rung: string }[] }) =>
  tested.rungs.find(({ rung }) => rung === 'encryption');

describe.each<Security>(['tls', 'starttls'])('over %s', (security) => {
  const sinkWith = (certificate: Certificate) =>
    smtpSink({ certificate, implicitTls: security === 'tls', withoutAuth: true });

  test.each([
    ['that expired', 'certificate_expired', expired, 'certificate expired on '],
    ['for another name', 'certificate_name', other, 'certificate is for another name'],
    ['that no authority vouches for', 'certificate_untrusted', stranger, 'SERVICE_MAIL_CA_FILE'],
  ] as const)('a certificate %s holds the identity', async (_, kind, certificate, words) => {
    await using sink = await sinkWith(certificate);
    const desk = await deskAt(sink.port, security);
    await desk.send();
    const at = kind === 'certificate_expired' ? new X509Certificate(certificate.cert).validToDate : null;
    expect(await identityOf(desk)).toMatchObject({
      active: true,
      trouble: { kind, expired_at: at?.toISOString() ?? null, words: null },
    });
    const letters = await app.sql`select state, hold_reason, hold_evidence from sends`;
    expect(letters).toHaveLength(2);
    for (const letter of letters)
      expect(letter).toMatchObject({
        state: 'held',
        hold_reason: 'transport_refused',
        hold_evidence: { trouble: kind },
      });
    // Time fixes no certificate: nothing calls there again.
    const before = sink.connections();
    app.clock.advance(DAY_MS);
    await app.instance.jobs.run('letters_recheck');
    await desk.send();
    expect(sink.connections()).toBe(before);
    const tested = await testOf(desk);
    expect(encryption(tested)).toMatchObject({ outcome: 'fail', sentence: expect.stringContaining(words) });
    expect(tested.identity.trouble).toMatchObject({ kind });
    expect(sink.letters).toEqual([]);
  });

  test('an authority of the operator’s own is trusted', async () => {
    await using sink = await sinkWith(own);
    const desk = await deskAt(sink.port, security);
    await desk.send();
    expect(sink.letters).toHaveLength(2);
    expect(encryption(await testOf(desk))).toMatchObject({ outcome: 'pass' });
  });
});

test('a server without STARTTLS holds the identity, and one that is renewed lets its letters go', async () => {
  await using plain = await scriptedSmtp({ EHLO: '250-there\r\n250 SIZE', STARTTLS: '502 no' });
  const desk = await deskAt(plain.port, 'starttls');
  await desk.send();
  expect(await identityOf(desk)).toMatchObject({ trouble: { kind: 'tls_missing' } });
  expect(plain.commands).not.toContain('MAIL');
  expect(encryption(await testOf(desk))).toMatchObject({
    outcome: 'fail',
    sentence: expect.stringContaining('offers no encryption that can be used'),
  });
  await using sink = await smtpSink({ certificate: own, withoutAuth: true });
  await app.sql`update identities set
    transport = ${app.sql.json({ host: HOST, port: sink.port, security: 'starttls', user: null })}`;
  expect(await testOf(desk)).toMatchObject({ identity: { trouble: null, test_outcome: 'passing' } });
  await app.instance.jobs.run('letters_recheck');
  await desk.send();
  expect(sink.letters).toHaveLength(2);
});
