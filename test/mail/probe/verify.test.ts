// The ladder climbed against a name server and mail hosts of the test's own: every verdict, and every reason for one.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { after, DAY_MS, HOUR_MS, type Clock } from '../../../src/kernel/clock.ts';
import { openResolver } from '../../../src/mail/dns.ts';
import type { Connect } from '../../../src/mail/probe/connect.ts';
import { openLimiter } from '../../../src/mail/probe/limiter.ts';
import {
  verifyAddress,
  type Probing,
  type Verification,
  type VerifyFacts,
} from '../../../src/mail/probe/verify.ts';
import type { RungName } from '../../../src/mail/probe/verdict.rules.ts';
import { readAllowedHosts } from '../../../src/net/switches.ts';
import { nameServer, type NameServer } from '../../support/dns.ts';
import { mailHost, onlyAnn, type MailHost, type Says, type Script } from './host.ts';

const NOW = new Date('2026-03-02T10:00:00Z');
const clock: Clock = { now: () => NOW };
const OPEN = { allowedHosts: readAllowedHosts('127.0.0.0/8') };
const FACTS: VerifyFacts = {
  suppressed: false,
  hard_bounced_at: null,
  delivered_at: null,
  replied_at: null,
  disposable_domains: new Set(),
};

let dns: NameServer;
beforeAll(async () => {
  dns = await nameServer();
  dns.says('example.com', { mx: [[10, 'mx.example.com']] });
  dns.says('mx.example.com', { addresses: ['127.0.0.1'] });
});
afterAll(() => dns[Symbol.asyncDispose]());

type Given = { address?: string; facts?: Partial<VerifyFacts>; probing?: Partial<Probing> | null };

async function verify(
  host: Pick<MailHost, 'port'> | null,
  { address = 'ann@example.com', facts = {}, probing = {} }: Given = {},
): Promise<Verification> {
  return verifyAddress(
    address,
    { ...FACTS, ...facts },
    {
      resolver: openResolver({ servers: [dns.address], timeoutMs: 300 }),
      clock,
      probing: probing && {
        helo: 'sender.example.org',
        limiter: openLimiter(clock, async () => undefined),
        opening: OPEN,
        port: host?.port ?? 9,
        connectMs: 2_000,
        replyMs: 500,
        wholeMs: 5_000,
        ...probing,
      },
    },
  );
}

async function against(script: Script, given: Given = {}): Promise<Verification & { heard: string[] }> {
  await using host = await mailHost(script);
  const found = await verify(host, given);
  return { ...found, heard: host.heard };
}

const rung = ({ rungs }: Verification, name: RungName): string => {
  const found = rungs.find((each) => each.rung === name);
  return `${found?.outcome}: ${found?.evidence}`;
};

const at = (daysAgo: number): Date => after(NOW, -daysAgo * DAY_MS);

describe('DELIVERABLE', () => {
  test('a mailbox that is taken where a random one is refused', async () => {
    const found = await against({});
    expect(found).toMatchObject({ verdict: 'DELIVERABLE', reason: 'accepted', retry_at: null });
    expect(found.rungs.map(({ rung: name, outcome, evidence }) => [name, outcome, evidence])).toEqual([
      ['syntax', 'pass', 'ok'],
      ['suppression', 'pass', 'not_suppressed'],
      ['domain', 'pass', 'exists'],
      ['mx', 'pass', 'mx'],
      ['role_or_disposable', 'pass', 'neither'],
      ['connect', 'pass', 'greeting 220'],
      ['rcpt', 'pass', 'accepted 250_2.1.5'],
      ['catch_all', 'pass', 'random_refused 550_5.1.1'],
      ['history', 'skipped', 'no_history'],
    ]);
    expect(found.expires_at).toEqual(after(NOW, 30 * DAY_MS));
  });

  test('the conversation names us, sends from no one, asks twice and never begins a letter', async () => {
    const { heard } = await against({});
    expect(heard.map((line) => line.replace(/<x[0-9a-f]{20}@/, '<random@'))).toEqual([
      'EHLO sender.example.org',
      'MAIL FROM:<>',
      'RCPT TO:<ann@example.com>',
      'RCPT TO:<random@example.com>',
      'QUIT',
    ]);
  });

  test('a domain without MX that has an address is its own mail host', async () => {
    dns.says('implicit.example', { addresses: ['127.0.0.1'] });
    const found = await against({}, { address: 'ann@implicit.example' });
    expect(found.verdict).toBe('DELIVERABLE');
    expect(rung(found, 'mx')).toBe('pass: implicit_mx');
  });

  test('a letter that was delivered or answered in 90 days exists, and no host is asked', async () => {
    for (const facts of [
      { delivered_at: at(89) },
      { replied_at: at(1) },
      { delivered_at: at(2), hard_bounced_at: at(3) },
    ]) {
      const found = await against({ rcpt: () => '550 5.1.1 gone' }, { facts });
      expect(found).toMatchObject({ verdict: 'DELIVERABLE', reason: 'history', heard: [] });
      expect(rung(found, 'connect')).toMatch(/^skipped/);
    }
    expect((await against({ rcpt: () => '250 ok' }, { facts: { delivered_at: at(91) } })).reason).toBe(
      'catch_all',
    );
  });

  test('a suppression is told and judges nothing: it is about writing, not about the mailbox', async () => {
    const found = await against({}, { facts: { suppressed: true } });
    expect(rung(found, 'suppression')).toBe('fail: suppressed');
    expect(found.verdict).toBe('DELIVERABLE');
  });

  test('a host that is down is passed over for the next by preference', async () => {
    dns.says('two.example', {
      mx: [
        [20, 'mx.example.com'],
        [10, 'nowhere.example'],
      ],
    });
    const found = await against({}, { address: 'ann@two.example' });
    expect(found.verdict).toBe('DELIVERABLE');
  });

  test('a host without EHLO is greeted the older way', async () => {
    const found = await against({ ehlo: '502 5.5.1 not implemented' });
    expect(found.verdict).toBe('DELIVERABLE');
    expect(found.heard).toContain('HELO sender.example.org');
  });
});

describe('UNDELIVERABLE', () => {
  test('what is not an address asks nothing of the network', async () => {
    const before = dns.asked.length;
    const found = await verify(null, { address: 'Ann <ann@example.com>' });
    expect(found).toMatchObject({ verdict: 'UNDELIVERABLE', reason: 'syntax' });
    expect(rung(found, 'syntax')).toBe('fail: not_bare');
    expect(dns.asked).toHaveLength(before);
    expect(found.rungs.slice(1).every(({ outcome }) => outcome === 'skipped')).toBe(true);
  });

  test.each([
    ['a domain that does not exist', 'nothing', 'domain_absent', 'domain', 'fail: nxdomain'],
    ['a null MX', { mx: [[0, '']], addresses: ['127.0.0.1'] }, 'no_mail_host', 'mx', 'fail: null_mx'],
    ['neither MX nor address', { txt: ['x'] }, 'no_mail_host', 'mx', 'fail: no_mx_no_address'],
  ] as const)('%s', async (_, zone, reason, name, told) => {
    dns.says('case.example', zone);
    const found = await verify(null, { address: 'ann@case.example' });
    expect(found).toMatchObject({ verdict: 'UNDELIVERABLE', reason });
    expect(rung(found, name)).toBe(told);
  });

  test.each([
    '550 5.1.1 The email account that you tried to reach does not exist',
    '550-5.1.1 The email account that you tried to reach does\r\n550-5.1.1 not exist. Please try\r\n550 5.1.1 again',
    '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
    '550 No such user here',
    '550 <spam-policy@example.com>: Recipient address rejected: User unknown in virtual mailbox table',
  ])('a mailbox that the host says is absent: %s', async (says) => {
    const found = await against({ rcpt: () => says });
    expect(found).toMatchObject({ verdict: 'UNDELIVERABLE', reason: 'mailbox_absent' });
    expect(rung(found, 'rcpt')).toMatch(/^fail: mailbox_absent 550(_5\.1\.10?)?$/);
    expect(rung(found, 'catch_all')).toMatch(/^skipped/);
  });

  test('a hard bounce in 90 days, and no host is asked', async () => {
    const found = await against({}, { facts: { hard_bounced_at: at(89) } });
    expect(found).toMatchObject({ verdict: 'UNDELIVERABLE', reason: 'hard_bounced', heard: [] });
  });
});

describe('RISKY', () => {
  test.each([
    ['a host that takes everything', { rcpt: () => '250 ok' }, {}, 'catch_all'],
    [
      'a role',
      { rcpt: (to: string) => onlyAnn(to.replace(/^info/i, 'ann')) },
      { address: 'Info@example.com' },
      'role',
    ],
    ['a full mailbox', { rcpt: () => '452 4.2.2 mailbox full' }, {}, 'mailbox_full'],
    ['a mailbox over its quota', { rcpt: () => '552 over quota' }, {}, 'mailbox_full'],
  ] satisfies [string, Script, Given, string][])('%s', async (_, script, given, reason) => {
    expect(await against(script, given)).toMatchObject({ verdict: 'RISKY', reason });
  });

  test('a mailbox to be thrown away, by the written list or by that of the operator', async () => {
    for (const domain of ['mailinator.com', 'sub.yopmail.com', 'burner.example']) {
      dns.says(domain, { mx: [[10, 'mx.example.com']] });
      const found = await against(
        {},
        {
          address: `ann@${domain}`,
          facts: { disposable_domains: new Set(['burner.example']) },
        },
      );
      expect(found).toMatchObject({ verdict: 'RISKY', reason: 'disposable' });
    }
  });

  test('a role that was answered stays a role', async () => {
    const found = await verify(null, { address: 'sales@example.com', facts: { replied_at: at(1) } });
    expect(found).toMatchObject({ verdict: 'RISKY', reason: 'role' });
  });

  test('a role of which the host says that it is absent is absent', async () => {
    const found = await against({ rcpt: () => '550 5.1.1 no' }, { address: 'sales@example.com' });
    expect(found.verdict).toBe('UNDELIVERABLE');
  });
});

describe('UNKNOWN', () => {
  const rcpt = (says: Says): Script => ({ rcpt: () => says });
  const random = (says: Says): Script => ({ rcpt: (to) => (to.startsWith('ann@') ? '250 ok' : says) });

  test.each<[string, Script, string, RungName, string]>([
    [
      'a greeting of 554',
      { greeting: '554 5.7.1 your address is listed' },
      'policy_refused',
      'connect',
      'unknown: policy_refused greeting 554_5.7.1',
    ],
    [
      'a greeting of 421',
      { greeting: '421 busy' },
      'greylisted',
      'connect',
      'unknown: greylisted greeting 421',
    ],
    ['no greeting', { greeting: null }, 'no_answer', 'connect', 'unknown: no_answer greeting timeout'],
    [
      'a greeting that is no SMTP',
      { greeting: 'garbage' },
      'no_answer',
      'connect',
      'unknown: no_answer greeting not_smtp',
    ],
    [
      'a greeting without end',
      { greeting: 'x'.repeat(70_000) },
      'no_answer',
      'connect',
      'unknown: no_answer greeting too_long',
    ],
    [
      'a greeting of endless lines',
      { greeting: '220-x\r\n'.repeat(500) },
      'no_answer',
      'connect',
      'unknown: no_answer greeting too_long',
    ],
    [
      'a break instead of a greeting',
      { greeting: 'close' },
      'no_answer',
      'connect',
      'unknown: no_answer greeting closed',
    ],
    ['silence after EHLO', { ehlo: null }, 'no_answer', 'rcpt', 'unknown: no_answer ehlo timeout'],
    [
      'nobody may greet',
      { ehlo: '550 no', helo: '550 no' },
      'policy_refused',
      'rcpt',
      'unknown: policy_refused helo 550',
    ],
    [
      'the null sender is refused',
      { mail: '550 5.7.1 no bounces here' },
      'policy_refused',
      'rcpt',
      'unknown: policy_refused mail_from 550_5.7.1',
    ],
    [
      'the null sender is put off',
      { mail: '451 4.3.0 later' },
      'greylisted',
      'rcpt',
      'unknown: greylisted mail_from 451_4.3.0',
    ],
    [
      'greylisting',
      rcpt('451 4.7.1 greylisted, come back later'),
      'greylisted',
      'rcpt',
      'unknown: greylisted 451_4.7.1',
    ],
    [
      'a policy',
      rcpt('550 5.7.1 not allowed'),
      'policy_refused',
      'rcpt',
      'unknown: policy_refused 550_5.7.1',
    ],
    [
      'a blocklist behind a status of absence',
      rcpt('550 5.1.1 rejected, see https://www.spamhaus.org/x'),
      'policy_refused',
      'rcpt',
      'unknown: policy_refused 550_5.1.1',
    ],
    [
      'a missing name of our address',
      rcpt('550 rDNS of your host is missing'),
      'policy_refused',
      'rcpt',
      'unknown: policy_refused 550',
    ],
    [
      'a refusal without a reason',
      rcpt('550 requested action not taken'),
      'unclear',
      'rcpt',
      'unknown: unclear 550',
    ],
    [
      'access denied',
      rcpt('550 5.4.1 Recipient address rejected: Access denied'),
      'policy_refused',
      'rcpt',
      'unknown: policy_refused 550_5.4.1',
    ],
    ['silence after RCPT', rcpt(null), 'no_answer', 'rcpt', 'unknown: no_answer rcpt timeout'],
    ['a break after RCPT', rcpt('close'), 'no_answer', 'rcpt', 'unknown: no_answer rcpt closed'],
    [
      'a random mailbox put off',
      random('450 4.2.0 later'),
      'greylisted',
      'catch_all',
      'unknown: greylisted 450_4.2.0',
    ],
    [
      'a random mailbox refused by policy',
      random('550 5.7.1 too many unknown recipients'),
      'policy_refused',
      'catch_all',
      'unknown: policy_refused 550_5.7.1',
    ],
    [
      'silence at the random mailbox',
      random(null),
      'no_answer',
      'catch_all',
      'unknown: no_answer random timeout',
    ],
    ['STARTTLS that is no TLS', { starttls: 'broken' }, 'tls_broken', 'rcpt', 'unknown: tls_broken'],
    ['words slipped in before TLS', { starttls: 'talkative' }, 'tls_broken', 'rcpt', 'unknown: tls_broken'],
  ])('%s', async (_, script, reason, name, told) => {
    const found = await against(script);
    expect(found).toMatchObject({ verdict: 'UNKNOWN', reason });
    expect(rung(found, name)).toBe(told);
    expect(found.expires_at).toEqual(after(NOW, 6 * HOUR_MS));
    expect(found.retry_at !== null).toBe(reason === 'greylisted');
  });

  test.each<[string, Connect, string]>([
    ['refused', async () => ({ ok: false, why: 'refused' }), 'refused'],
    ['slow', async () => ({ ok: false, why: 'timeout' }), 'timeout'],
    ['closed by our own network', async () => ({ ok: false, why: 'unreachable' }), 'unreachable'],
  ])('a network that is %s is told apart from an absent mailbox', async (_, connect, why) => {
    const found = await verify(null, { probing: { connect } });
    expect(found).toMatchObject({ verdict: 'UNKNOWN', reason: 'network_unreachable' });
    expect(rung(found, 'connect')).toBe(`unknown: network_unreachable ${why}`);
    const role = await verify(null, { address: 'info@example.com', probing: { connect } });
    expect(role).toMatchObject({ verdict: 'UNKNOWN', reason: 'network_unreachable' });
  });

  test('a port at which no one listens', async () => {
    const host = await mailHost();
    await host[Symbol.asyncDispose]();
    const found = await verify(host);
    expect(rung(found, 'connect')).toBe('unknown: network_unreachable refused');
  });

  test('no name server at all: the rung is named', async () => {
    for (const zone of ['broken', 'silent'] as const) {
      dns.says('dark.example', zone);
      const found = await verify(null, { address: 'ann@dark.example' });
      expect(found).toMatchObject({ verdict: 'UNKNOWN', reason: 'dns_unavailable' });
      expect(rung(found, 'domain')).toBe(
        `unknown: dns_unavailable ${zone === 'broken' ? 'servfail' : 'timeout'}`,
      );
    }
  });

  test('MX that cannot be asked for, while the domain exists', async () => {
    dns.says('half.example', { addresses: ['127.0.0.1'], fails: { MX: 'broken' } });
    const found = await verify(null, { address: 'ann@half.example' });
    expect(found.reason).toBe('dns_unavailable');
    expect(rung(found, 'domain')).toBe('pass: exists');
    expect(rung(found, 'mx')).toBe('unknown: dns_unavailable servfail');
  });

  test('mail hosts that have no address', async () => {
    dns.says('lost.example', { mx: [[10, 'nowhere.example']] });
    expect(await verify(null, { address: 'ann@lost.example' })).toMatchObject({ reason: 'mx_unresolved' });
  });

  test('a mail host on a private network is not called, unless the operator opened it', async () => {
    await using host = await mailHost();
    const found = await verify(host, { probing: { opening: { allowedHosts: readAllowedHosts('') } } });
    expect(found).toMatchObject({ verdict: 'UNKNOWN', reason: 'address_not_allowed' });
    expect(host.heard).toEqual([]);
    expect(host.most_at_once).toBe(0);
  });

  test('an instance that calls no strangers says so', async () => {
    const found = await verify(null, { probing: null });
    expect(found).toMatchObject({ verdict: 'UNKNOWN', reason: 'not_asked' });
  });

  test('a host that drags every answer out is cut off', async () => {
    await using host = await mailHost({ rcpt: () => null });
    const found = await verify(host, { probing: { replyMs: 60_000, wholeMs: 300 } });
    expect(rung(found, 'rcpt')).toBe('unknown: no_answer rcpt closed');
  });
});

describe('what the host offers', () => {
  test('TLS is taken where it is offered, with whatever certificate, and the host is greeted again inside', async () => {
    await using host = await mailHost({ starttls: 'offered' });
    expect((await verify(host)).verdict).toBe('DELIVERABLE');
    expect(host.secret[0]).toBe('EHLO sender.example.org');
    expect(host.heard.filter((line) => !host.secret.includes(line))).toEqual(['STARTTLS']);
    expect(host.secret).toContain('QUIT');
  });

  test('TLS that is offered and put off is done without', async () => {
    expect((await against({ starttls: 'refused' })).verdict).toBe('DELIVERABLE');
  });

  test('an international mailbox is asked for only where the host takes one', async () => {
    const rcpt = (to: string): string => (to.startsWith('andré@') ? '250 ok' : '550 5.1.1 no');
    const without = await against({ rcpt }, { address: 'andré@example.com' });
    expect(without).toMatchObject({ verdict: 'UNKNOWN', reason: 'address_unsupported' });
    const offered = await against({ rcpt, smtputf8: true }, { address: 'André@example.com' });
    expect(offered.heard).toContain('MAIL FROM:<> SMTPUTF8');
    expect(offered.heard).toContain('RCPT TO:<André@example.com>');
  });
});

test('no word of a host or of a name server is evidence', async () => {
  const found = await against({ greeting: '220 evil', rcpt: () => '550 5.7.1 evil words' });
  expect(JSON.stringify(found.rungs)).not.toContain('evil');
});
