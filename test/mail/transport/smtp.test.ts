// Letters over whole mail servers: encryption, signing in, international mailboxes, and connections that are kept.
import { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import { Secret } from '../../../src/kernel/secret.ts';
import { openSandbox, type SandboxLetter } from '../../../src/mail/transport/sandbox.ts';
import { openSmtp } from '../../../src/mail/transport/smtp.ts';
import { testConnection } from '../../../src/mail/transport/try.ts';
import { readAuthorities } from '../../../src/net/trust.ts';
import { certificateFor, type Certificate } from '../../support/certificate.ts';
import { deadPort } from '../../support/receiver.ts';
import { drop, hang, scriptedSmtp, smtpSink } from '../../support/smtp.ts';
import { BYTES, HOST, letter, optionsFor, sendOver, until, using } from './sending.ts';

const usual = getCACertificates('default');
afterEach(() => setDefaultCACertificates(usual));
const trusted = (names = [HOST], options = {}): Certificate => {
  const certificate = certificateFor(names, options);
  setDefaultCACertificates([...usual, certificate.cert]);
  return certificate;
};

const ACCEPTED = { outcome: 'accepted', server_message_id: null, reference: '4AbC12xYz' };
const login = { user: 'ada', password: new Secret('of my own') };
const SECURITIES = ['tls', 'starttls'] as const;

describe.each(SECURITIES)('%s', (security) => {
  const implicitTls = security === 'tls';

  test('a letter arrives as it is, encrypted, from who signed in', async () => {
    await using sink = await smtpSink({
      certificate: trusted(),
      implicitTls,
      login: { user: 'ada', password: 'of my own' },
    });
    expect(await sendOver(optionsFor(sink.port, { access: { security, login } }))).toEqual(ACCEPTED);
    expect(sink.letters).toEqual([
      { from: 'bounce+1@sender.example', to: ['bo@example.org'], bytes: BYTES, encrypted: true, user: 'ada' },
    ]);
  });

  test('a wrong password is said, and nothing is offered', async () => {
    await using sink = await smtpSink({
      certificate: trusted(),
      implicitTls,
      login: { user: 'ada', password: 'another' },
    });
    expect(await sendOver(optionsFor(sink.port, { access: { security, login } }))).toMatchObject({
      outcome: 'auth_refused',
      code: 535,
    });
    expect(sink.letters).toHaveLength(0);
  });

  test.each([
    ['of another name', ['other.example']],
    ['of the address alone', ['127.0.0.1']],
  ])('a certificate %s ends it before the password', async (_, names) => {
    await using sink = await smtpSink({
      certificate: trusted(names),
      implicitTls,
      login: { user: 'ada', password: 'of my own' },
    });
    expect(await sendOver(optionsFor(sink.port, { access: { security, login } }))).toEqual({
      outcome: 'insecure',
      fault: 'certificate_name',
      expired_at: null,
    });
  });

  test('a certificate that has expired, or that no one vouches for, ends it', async () => {
    const expired = trusted([HOST], { expired: true });
    const { validToDate } = new X509Certificate(expired.cert);
    for (const [certificate, said] of [
      [expired, { fault: 'certificate_expired', expired_at: validToDate }],
      [certificateFor([HOST]), { fault: 'certificate_untrusted', expired_at: null }],
    ] as const) {
      await using sink = await smtpSink({ certificate, implicitTls });
      expect(await sendOver(optionsFor(sink.port, { access: { security, login: null } }))).toEqual({
        outcome: 'insecure',
        ...said,
      });
      expect(sink.letters).toHaveLength(0);
    }
  });

  test('an authority of the operator’s own is trusted beside the usual ones', async () => {
    const certificate = certificateFor([HOST]);
    await using sink = await smtpSink({ certificate, implicitTls });
    const ca = readAuthorities(`of our own\n${certificate.cert}`);
    const access = { security, login: null };
    expect(await sendOver({ ...optionsFor(sink.port, { access }), ca })).toEqual(ACCEPTED);
    await using known = await smtpSink({ certificate: trusted(), implicitTls });
    expect(await sendOver({ ...optionsFor(known.port, { access }), ca })).toEqual(ACCEPTED);
  });
});

describe('encryption that is asked for is never given up', () => {
  const access = { security: 'starttls', login } as const;
  test.each([
    ['is not offered', { EHLO: '250-there\r\n250 AUTH PLAIN' }],
    ['is refused', { EHLO: '250-there\r\n250-STARTTLS\r\n250 AUTH PLAIN', STARTTLS: '501 no' }],
    [
      'turns out to be something else',
      {
        EHLO: '250-there\r\n250 STARTTLS',
        STARTTLS: (socket: Socket) => {
          socket.write('220 go\r\n');
          socket.once('data', () => socket.write('250 in the clear\r\n'));
        },
      },
    ],
  ])('STARTTLS %s', async (_, script) => {
    await using there = await scriptedSmtp(script);
    expect(await sendOver(optionsFor(there.port, { access }))).toEqual({
      outcome: 'insecure',
      fault: 'tls_missing',
      expired_at: null,
    });
    expect(there.commands).not.toContain('AUTH');
    expect(there.commands).not.toContain('MAIL');
  });

  test('STARTTLS that is out of order for now is later', async () => {
    await using there = await scriptedSmtp({ EHLO: '250-there\r\n250 STARTTLS', STARTTLS: '454 not now' });
    expect(await sendOver(optionsFor(there.port, { access }))).toMatchObject({
      outcome: 'deferred',
      code: 454,
    });
  });

  test('a host that speaks no TLS on the port for it', async () => {
    await using there = await scriptedSmtp({});
    const tls = { security: 'tls', login } as const;
    expect(await sendOver(optionsFor(there.port, { access: tls }))).toEqual({
      outcome: 'insecure',
      fault: 'tls_missing',
      expired_at: null,
    });
  });

  test('who offers no way of signing in does not see the password', async () => {
    await using sink = await smtpSink({ certificate: trusted(), withoutAuth: true });
    expect(await sendOver(optionsFor(sink.port, { access }))).toEqual({
      outcome: 'auth_refused',
      code: null,
      enhanced: null,
      said: null,
    });
  });
});

describe('an international mailbox', () => {
  const envelope = { from: 'bounce+1@sender.example', to: ['用户@xn--r8jz45g.example'] };

  test('goes to a host that takes them', async () => {
    await using sink = await smtpSink();
    expect(await sendOver(optionsFor(sink.port), { envelope })).toEqual(ACCEPTED);
    expect(sink.letters[0]?.to, 'the sink shows the domain in its own script').toEqual(['用户@例え.example']);
  });

  test('is not offered to one that does not, and the connection goes on', async () => {
    await using sink = await smtpSink({ hides: ['SMTPUTF8'] });
    await using transport = using(openSmtp(optionsFor(sink.port)));
    expect(await transport.send(letter({ envelope }))).toEqual({ outcome: 'address_unsupported' });
    expect(await transport.send(letter())).toEqual(ACCEPTED);
    expect(sink.letters.map(({ to }) => to)).toEqual([['bo@example.org']]);
    expect(sink.connections()).toBe(1);
  });
});

describe('connections are kept', () => {
  test('many letters share a few, and each arrives once', async () => {
    await using sink = await smtpSink();
    await using transport = using(openSmtp(optionsFor(sink.port, { most_connections: 3 })));
    const numbers = Array.from({ length: 240 }, (_, at) => at);
    const outcomes = await Promise.all(
      numbers.map((at) => transport.send(letter({ bytes: Buffer.from(`Subject: ${at}\r\n\r\nhi\r\n`) }))),
    );
    expect(outcomes.every(({ outcome }) => outcome === 'accepted')).toBe(true);
    const subjects = sink.letters.map(({ bytes }) => Number(/Subject: (\d+)/.exec(bytes.toString())?.[1]));
    expect(subjects.toSorted((a, b) => a - b)).toEqual(numbers);
    // Three at once, and none carries more than a hundred.
    expect(sink.connections()).toBe(3);
  });

  test('a connection carries a hundred letters and no more', async () => {
    await using sink = await smtpSink();
    await using transport = using(openSmtp(optionsFor(sink.port, { most_connections: 1 })));
    for (let at = 0; at < 101; at += 1) expect(await transport.send(letter())).toEqual(ACCEPTED);
    expect(sink.connections()).toBe(2);
  });

  test('a refused letter leaves the next one its connection', async () => {
    await using there = await scriptedSmtp({
      RCPT: ['550 5.1.1 no', '250 ok'],
      end: ['451 4.3.0 later', '250 ok'],
    });
    await using transport = using(openSmtp(optionsFor(there.port)));
    expect(await transport.send(letter())).toMatchObject({ outcome: 'refused' });
    expect(await transport.send(letter())).toMatchObject({ outcome: 'deferred', stage: 'final' });
    expect(await transport.send(letter())).toMatchObject({ outcome: 'accepted' });
    expect(there.connections).toHaveLength(1);
    expect(there.commands.filter((verb) => verb === 'RSET')).toHaveLength(2);
  });

  test.each([
    ['has gone', { end: (socket: { end(text: string): void }) => socket.end('250 ok\r\n') }],
    ['goes when it is asked', { RSET: drop }],
    ['asks to come back', { RSET: '421 idle for too long' }],
    ['does not answer', { RSET: hang }],
  ])('one that %s is replaced', async (_, script) => {
    await using there = await scriptedSmtp(script as never);
    await using transport = using(openSmtp(optionsFor(there.port, { deadlines: { setupMs: 500 } })));
    expect(await transport.send(letter())).toMatchObject({ outcome: 'accepted' });
    expect(await transport.send(letter())).toMatchObject({ outcome: 'accepted' });
    expect(there.connections).toHaveLength(2);
  });

  test('closing says goodbye, and takes no further letter', async () => {
    await using there = await scriptedSmtp({});
    const transport = openSmtp(optionsFor(there.port));
    await transport.send(letter());
    await transport.close();
    await until(() => there.commands.includes('QUIT'));
    await expect(transport.send(letter())).rejects.toThrow('closed');
  });
});

const ENVELOPE = {
  from: 'bounce+1@sender.example',
  own: 'ada@sender.example',
  bounces: 'bounce+1@sender.example',
};
const TAKEN = ['sender pass', 'recipient pass', 'bounces pass'];
const SKIPPED = ['sender skipped', 'recipient skipped', 'bounces skipped'];

describe('testing a connection', () => {
  const tried = async (options: Parameters<typeof testConnection>[0]) => {
    const { ok, rungs } = await testConnection(options, ENVELOPE);
    for (const { sentence } of rungs) {
      expect(sentence.length).toBeGreaterThan(10);
      expect(sentence.length).toBeLessThan(300);
    }
    return { ok, rungs: rungs.map(({ rung, outcome }) => `${rung} ${outcome}`) };
  };

  test('climbs every rung and sends nothing', async () => {
    await using sink = await smtpSink({
      certificate: trusted(),
      implicitTls: true,
      login: { user: 'ada', password: 'of my own' },
    });
    const access = { security: 'tls', login } as const;
    expect(await tried(optionsFor(sink.port, { access }))).toEqual({
      ok: true,
      rungs: ['address pass', 'connect pass', 'encryption pass', 'hello pass', 'sign_in pass', ...TAKEN],
    });
    expect(sink.letters).toHaveLength(0);
  });

  test('says where it stopped, in the order in which it went', async () => {
    await using sink = await smtpSink({
      certificate: trusted(['other.example']),
      login: { user: 'ada', password: 'x' },
    });
    const access = { security: 'starttls', login } as const;
    expect(await tried(optionsFor(sink.port, { access }))).toEqual({
      ok: false,
      rungs: ['address pass', 'connect pass', 'hello pass', 'encryption fail', 'sign_in skipped', ...SKIPPED],
    });
    setDefaultCACertificates(usual);
    await using wrong = await smtpSink({ certificate: trusted(), login: { user: 'ada', password: 'x' } });
    expect((await tried(optionsFor(wrong.port, { access }))).rungs.slice(-5)).toEqual([
      'encryption pass',
      'sign_in fail',
      ...SKIPPED,
    ]);
  });

  test('what may be another in an hour is no verdict, and a private address names who can open it', async () => {
    const port = await deadPort();
    expect((await tried(optionsFor(port))).rungs.slice(0, 2)).toEqual(['address pass', 'connect fail']);
    const lookup = () => Promise.reject(new Error('SERVFAIL'));
    expect((await tried(optionsFor(port, { lookup }))).rungs[0]).toBe('address unknown');
    const closed = optionsFor(port, { allowedHosts: { names: new Set(), networks: { has: () => false } } });
    expect((await testConnection(closed, ENVELOPE)).rungs[0]).toMatchObject({
      outcome: 'fail',
      sentence: expect.stringContaining('SERVICE_ALLOW_PRIVATE_HOSTS'),
    });
  });

  test('without encryption or login those rungs are skipped', async () => {
    await using there = await scriptedSmtp({});
    expect((await tried(optionsFor(there.port))).rungs.slice(-6)).toEqual([
      'hello pass',
      'encryption skipped',
      'sign_in skipped',
      ...TAKEN,
    ]);
    expect(there.commands).not.toContain('DATA');
  });
});

describe('testing the envelope of letters', () => {
  const asked = async (script: Parameters<typeof scriptedSmtp>[0]) => {
    await using there = await scriptedSmtp(script);
    const { ok, rungs } = await testConnection(
      optionsFor(there.port, { peer: 'submission', deadlines: { envelopeMs: 300 } }),
      ENVELOPE,
    );
    expect(there.received()).toContain('MAIL FROM:<bounce+1@sender.example>\r\n');
    expect(there.commands).not.toContain('DATA');
    return { ok, rungs: rungs.slice(-3).map(({ rung, outcome }) => `${rung} ${outcome}`), rungsIn: rungs };
  };
  const NOT_OWNED = '553 5.7.1 <bounce+1@sender.example>: Sender address rejected: not owned by user ada';

  test('says that the sender is refused, at MAIL and where it is judged at RCPT', async () => {
    for (const script of [{ MAIL: NOT_OWNED }, { RCPT: NOT_OWNED }]) {
      const { ok, rungs, rungsIn } = await asked(script);
      expect({ ok, rungs }).toEqual({
        ok: false,
        rungs: ['sender fail', 'recipient skipped', 'bounces skipped'],
      });
      expect(rungsIn.at(-3)?.sentence).toContain('refuses the envelope sender');
    }
  });

  test('says that mail is not passed on', async () => {
    const { ok, rungs, rungsIn } = await asked({
      RCPT: '554 5.7.1 <ada@sender.example>: Relay access denied',
    });
    expect({ ok, rungs }).toEqual({ ok: false, rungs: ['sender pass', 'recipient fail', 'bounces fail'] });
    expect(rungsIn.at(-2)?.sentence).toContain('doesn’t pass mail on');
  });

  test('says that bounces would be lost, which no letter hangs on', async () => {
    const { ok, rungs, rungsIn } = await asked({ RCPT: ['250 ok', '550 5.1.1 no such user'] });
    expect({ ok, rungs }).toEqual({ ok: true, rungs: ['sender pass', 'recipient pass', 'bounces fail'] });
    expect(rungsIn.at(-1)?.sentence).toContain('bounces are lost');
  });

  test.each([
    ['puts off', { MAIL: '451 4.3.0 later' }, ['sender unknown', 'recipient skipped', 'bounces skipped']],
    ['breaks off', { RCPT: drop }, ['sender pass', 'recipient unknown', 'bounces skipped']],
    ['is silent', { MAIL: hang }, ['sender unknown', 'recipient skipped', 'bounces skipped']],
  ])('a server that %s gives no verdict', async (_, script, rungs) => {
    expect(await asked(script)).toMatchObject({ ok: false, rungs });
  });
});

test('the sandbox has the same two stages and keeps everything', async () => {
  const kept: SandboxLetter[] = [];
  const sandbox = openSandbox((each) => void kept.push(each));
  const beforeFinalDot = (): Promise<void> => Promise.reject(new Error('no'));
  expect(await sandbox.send(letter({ beforeFinalDot }))).toEqual({ outcome: 'not_sent', why: 'hook' });
  expect(kept).toHaveLength(0);
  expect(await sandbox.send(letter())).toEqual({
    outcome: 'accepted',
    server_message_id: null,
    reference: null,
  });
  expect(kept).toEqual([{ envelope: letter().envelope, bytes: BYTES, idempotency_key: 'send-1' }]);
});
