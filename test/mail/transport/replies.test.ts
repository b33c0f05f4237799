// What a host answers, at which step, and what becomes of the letter by it.
import { describe, expect, test } from 'vitest';
import { serverWords } from '../../../src/mail/reports/words.ts';
import { deadPort } from '../../support/receiver.ts';
import { drop, hang, scriptedSmtp, type Says, type Turn } from '../../support/smtp.ts';
import { optionsFor, sendOver } from './sending.ts';

type Script = Partial<Record<Turn, Says>>;
const answered = async (script: Script, changes = {}) => {
  await using there = await scriptedSmtp(script);
  return await sendOver(optionsFor(there.port, changes));
};

describe('later', () => {
  test.each([
    ['greeting', '421 4.3.2 busy', 'connect', false],
    ['EHLO', '421 busy', 'connect', false],
    ['MAIL', '451 4.3.0 try later', 'mail', false],
    ['RCPT', '450 4.2.0 greylisted, come back', 'rcpt', true],
    ['RCPT', '451 4.7.1 greylisting in action', 'rcpt', true],
    ['RCPT', '451 try again', 'rcpt', true],
    ['RCPT', '450 4.2.2 full', 'rcpt', false],
    ['RCPT', '452 4.2.2 full', 'rcpt', false],
    ['RCPT', '421 4.7.0 slow down', 'rcpt', false],
    ['DATA', '451 4.7.1 greylisted', 'data', true],
    ['end', '421 4.3.0 going away', 'final', false],
    ['end', '452 4.3.1 no space', 'final', false],
    ['RCPT', '503 bad sequence', 'rcpt', false],
  ] as const)('%s: %s', async (turn, reply, stage, greylisted) => {
    const outcome = await answered({ [turn]: reply });
    const code = Number(reply.slice(0, 3));
    expect(outcome).toMatchObject({ outcome: 'deferred', stage, greylisted, code });
    const step = await answered({ [turn]: reply, EHLO: turn === 'EHLO' ? reply : '250 there' });
    expect(step, 'without pipelining the same').toEqual(outcome);
  });
});

describe('refused', () => {
  test.each([
    ['RCPT', '550 5.1.1 no such user', 'rcpt', 'hard'],
    ['RCPT', '550 5.1.10 null MX', 'rcpt', 'hard'],
    ['RCPT', '550 no', 'rcpt', 'hard'],
    ['RCPT', '553 mailbox name not allowed', 'rcpt', 'hard'],
    ['RCPT', '550-5.1.1 there is\r\n550 5.1.1 nobody of that name', 'rcpt', 'hard'],
    ['RCPT', '550 5.7.1 blocked by policy', 'rcpt', 'policy'],
    ['RCPT', '550 5.7.1 user unknown', 'rcpt', 'policy'],
    ['RCPT', '550 rejected because your address is on a blocklist', 'rcpt', 'policy'],
    ['RCPT', '552 too full', 'rcpt', 'soft'],
    ['RCPT', '552 5.2.2 mailbox full', 'rcpt', 'soft'],
    ['RCPT', '550 5.2.2 mailbox full', 'rcpt', 'soft'],
    ['MAIL', '550 5.1.8 bad sender', 'mail', 'policy'],
    ['MAIL', '550 no', 'mail', 'policy'],
    ['DATA', '554 no', 'data', 'policy'],
    ['end', '550 5.7.26 unauthenticated', 'final', 'policy'],
    ['end', '554 5.0.0 no', 'final', 'policy'],
    ['end', '552 5.3.4 too large', 'final', 'policy'],
    ['end', '550 5.1.1 no such user', 'final', 'hard'],
    ['end', '552 5.2.2 over quota', 'final', 'soft'],
  ] as const)('%s: %s', async (turn, reply, stage, kind) => {
    const outcome = await answered({ [turn]: reply });
    const code = Number(reply.slice(0, 3));
    const recipient = stage === 'rcpt' ? 'bo@example.org' : null;
    expect(outcome).toMatchObject({ outcome: 'refused', stage, kind, code, recipient });
    expect(outcome, 'what the host said stands beside it as data').toMatchObject({
      said: serverWords(reply),
    });
    expect(await answered({ [turn]: reply, EHLO: '250 there' }), 'without pipelining the same').toEqual(
      outcome,
    );
  });

  test.each(['530 5.7.0 authentication required', '535 5.7.8 who are you'])(
    'asked to sign in: %s',
    async (MAIL) => {
      expect(await answered({ MAIL })).toMatchObject({
        outcome: 'auth_refused',
        code: Number(MAIL.slice(0, 3)),
      });
    },
  );

  test('a letter larger than the host announced is refused before it is offered', async () => {
    await using there = await scriptedSmtp({ EHLO: '250-there\r\n250 SIZE 20' });
    expect(await sendOver(optionsFor(there.port))).toMatchObject({
      outcome: 'refused',
      cause: 'too_big',
      kind: 'policy',
    });
    expect(there.commands).not.toContain('MAIL');
  });
});

describe("refused by the operator's own server", () => {
  const bySubmission = (script: Script) => answered(script, { peer: 'submission' });

  test.each([
    ['550 5.1.1 no such user', 'hard'],
    ['550 5.1.1 rejected', 'hard'],
    ['550 5.1.2 <bo@example.org>: Recipient address rejected: Domain not found', 'hard'],
    ['501 5.1.3 Bad recipient address syntax', 'hard'],
    ['556 5.1.10 the domain has a null MX', 'hard'],
    ['550 5.1.0 unknown user', 'hard'],
    ['552 5.2.2 mailbox full', 'soft'],
    ['552 5.2.2 The email account is over quota, message rejected', 'soft'],
    ['550 5.2.1 mailbox disabled', 'soft'],
    ['550 5.4.1 Recipient address rejected: Access denied', 'soft'],
    ['550 Unrouteable address', 'soft'],
    ['550 No Such User Here', 'soft'],
    ['550 5.0.0 Benutzer unbekannt', 'soft'],
    ['554 5.7.1 <bo@example.org>: Recipient address rejected: Access denied', 'soft'],
    ['554 5.5.2 <bo@example.org>: Recipient address rejected: need fully-qualified address', 'soft'],
    ['550 5.7.1 RESOLVER.RST.AuthRequired; authentication required', 'soft'],
    ['550 5.7.1 RESOLVER.RST.NotAuthorized; not authorized', 'soft'],
    ['550 5.7.133 sender not authenticated for group', 'soft'],
    ['550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup', 'hard'],
    ['550 5.7.1 Recipient is on the suppression list', 'soft'],
    ['501 bo@example.org: recipient address must contain a domain', 'soft'],
    ['550 Invalid recipient', 'soft'],
    ['550 Requested action not taken: mailbox unavailable', 'soft'],
    ['553 Requested action not taken: mailbox name not allowed', 'soft'],
    ['550 <bo@example.org>: Access denied', 'soft'],
    ['550-Verification failed for <bo@example.org>\r\n550 The mail server could not deliver it', 'soft'],
    ['550 Recipient verification failed', 'soft'],
    ['550 Callout verification failed: no answer', 'soft'],
    ['550 <bo@example.org> account is disabled', 'soft'],
    ['550 User bo@example.org is suspended', 'soft'],
    ['550 The email account that you tried to reach is disabled', 'soft'],
    ['550 Recipient account is locked', 'soft'],
    ['550 This mailbox is disabled and cannot receive mail', 'soft'],
    [
      '550-5.2.1 The user you are trying to contact is receiving mail at a rate that\r\n550 5.2.1 prevents additional messages from being delivered.',
      'soft',
    ],
    ['550 5.1.351 Remote server returned unknown recipient', 'soft'],
  ] as const)('of the recipient at RCPT: %s', async (RCPT, kind) => {
    expect(await bySubmission({ RCPT })).toMatchObject({
      outcome: 'refused',
      about: 'recipient',
      kind,
      recipient: 'bo@example.org',
    });
  });

  test.each([
    ['RCPT', '550 Rejected', 'refused'],
    ['RCPT', '554 denied', 'refused'],
    ['RCPT', '550 5.7.1 user unknown', 'refused'],
    ['RCPT', '550 5.1.1 rejected because your IP is listed at spamhaus', 'refused'],
    ['RCPT', '550 5.1.0 no', 'refused'],
    ['RCPT', '550 Access denied', 'refused'],
    ['RCPT', '550 Sender verification failed', 'sender_refused'],
    ['RCPT', '550 account is disabled', 'refused'],
    ['RCPT', '550 Your account is disabled, you cannot send to <bo@example.org>', 'refused'],
    ['RCPT', '550 <a@sender.example> account is disabled', 'refused'],
    ['RCPT', '550 5.7.1 <bo@example.org>: hourly sending limit of your account reached', 'quota'],
    ['RCPT', '554 <bo@example.org>: you must log in first', 'credentials'],
    ['RCPT', '550 5.1.8 bad sender', 'sender_refused'],
    [
      'RCPT',
      '553 5.7.1 <bounce+1@sender.example>: Sender address rejected: not owned by user a',
      'sender_refused',
    ],
    ['RCPT', '554 5.7.1 <bo@example.org>: Relay access denied', 'relay_refused'],
    ['RCPT', '550 relay not permitted, authentication required', 'relay_refused'],
    ['RCPT', "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)", 'relay_refused'],
    ['RCPT', '554 5.7.1 <bo@example.org>: Recipient address rejected: sending limit reached', 'quota'],
    ['RCPT', '554 5.7.1 <bo@example.org>: Recipient address rejected: account suspended', 'refused'],
    ['RCPT', '554 5.7.1 <bo@example.org>: Recipient address rejected: not logged in', 'credentials'],
    ['RCPT', '550 authentication required', 'credentials'],
    ['RCPT', '550 5.1.90 daily limit for message recipients', 'quota'],
    ['RCPT', '552 5.2.2 sending quota of your account exceeded', 'quota'],
    ['MAIL', '550 no', 'refused'],
    ['MAIL', '550 5.7.1 this account is suspended', 'refused'],
    ['MAIL', '553 not yours', 'sender_refused'],
    ['MAIL', '550 5.4.5 Daily user sending limit exceeded', 'quota'],
    ['DATA', '554 5.7.1 no', 'refused'],
    ['end', '550 5.4.5 Daily user sending limit exceeded', 'quota'],
    ['end', '550 5.7.60 SMTP; Client does not have permissions to send as this sender', 'sender_refused'],
    ['end', '550 Your account has been suspended for sending spam', 'refused'],
    ['end', '550 5.7.26 unauthenticated: DKIM did not pass', 'refused'],
  ] as const)('of us, so nothing more leaves: %s: %s', async (turn, reply, trouble) => {
    expect(await bySubmission({ [turn]: reply })).toMatchObject({
      outcome: 'refused',
      about: 'sender',
      kind: 'policy',
      trouble,
      recipient: null,
    });
  });

  test.each([
    ['MAIL', '552 5.3.4 message size exceeds fixed limit', 'too_big'],
    ['RCPT', '550 5.6.1 cannot be converted', 'content'],
    ['end', '552 too large', 'too_big'],
    ['RCPT', '550 5.7.1 TRANSPORT.RULES.RejectMessage; rejected by organization policy', 'policy'],
    ['DATA', '550 5.7.1 TRANSPORT.RULES.RejectMessage; rejected by organization policy', 'policy'],
    ['end', '554 5.7.1 looks like spam', 'spam'],
    ['end', '554 5.6.0 broken MIME', 'content'],
    ['end', '550 5.1.1 no such user', 'policy'],
    ['end', '550 5.7.1 message rejected', 'policy'],
    ['end', '554 no', 'policy'],
  ] as const)('of the letter: %s: %s', async (turn, reply, cause) => {
    expect(await bySubmission({ [turn]: reply })).toMatchObject({
      outcome: 'refused',
      about: 'content',
      kind: 'policy',
      cause,
      recipient: null,
    });
  });

  test.each([
    ['RCPT', '452 4.3.1 Insufficient system storage'],
    ['RCPT', '452 quota exceeded'],
    ['RCPT', '552 quota exceeded'],
    ['RCPT', '552 too full'],
    ['MAIL', '452 4.3.1 mailbox full'],
    ['end', '452 disk quota'],
  ] as const)('its own full disk is nobody’s full mailbox: %s: %s', async (turn, reply) => {
    const outcome = await bySubmission({ [turn]: reply });
    expect(outcome).toMatchObject({ code: Number(reply.slice(0, 3)) });
    expect(outcome).not.toMatchObject({ cause: 'mailbox_full' });
    expect(await bySubmission({ RCPT: '452 4.2.2 mailbox full' })).toMatchObject({ cause: 'mailbox_full' });
  });

  test('what it said is kept in one line, cut, and without the addresses of people', async () => {
    const RCPT = `550-no\u0007 mail for <bo@example.org>\r\n550 and ${'x'.repeat(900)}`;
    const { said } = (await bySubmission({ RCPT })) as { said: string };
    expect(said).toHaveLength(500);
    expect(said).toMatch(/^550 no mail for <@> and x+…$/);
  });
});

describe('accepted', () => {
  test.each([
    ['250 2.0.0 Ok: queued as 4F2Kx91ZzT', '4F2Kx91ZzT'],
    ['250 OK id=1rXyZa-0001Ab-2C', '1rXyZa-0001Ab-2C'],
    ['250 2.0.0 thanks for bo@example.org', null],
    ['250-2.0.0 first\r\n250 2.0.0 last', null],
  ])('%s', async (end, reference) => {
    expect(await answered({ end })).toEqual({ outcome: 'accepted', server_message_id: null, reference });
  });

  test('the id that a host puts in place of ours is kept, since replies will name it', async () => {
    const id = '<AB1PR0401.eurprd04.prod.outlook.com>';
    expect(await answered({ end: `250 2.0.0 OK ${id} [Hostname=AB1]` })).toMatchObject({
      server_message_id: id,
    });
  });
});

describe('out of reach', () => {
  const why = (reason: string) => ({ outcome: 'unreachable', why: reason });
  /** The connection was, and broke off over this letter. */
  const midway = (reason: string) => ({ ...why(reason), midway: true });

  test.each<[string, Script, object]>([
    ['drops before greeting', { greeting: drop }, why('dropped')],
    ['wants no mail', { greeting: '554 no mail here' }, why('protocol')],
    ['speaks something else', { greeting: 'SSH-2.0-x' }, why('protocol')],
    ['drops at EHLO', { EHLO: drop }, why('dropped')],
    ['drops at MAIL', { MAIL: drop }, midway('dropped')],
    ['drops at RCPT', { RCPT: drop }, midway('dropped')],
    ['drops at DATA', { DATA: drop }, midway('dropped')],
    ['answers with nothing that is a reply', { MAIL: 'what?' }, midway('protocol')],
    ['talks without end', { EHLO: (socket) => socket.write('250-x\r\n'.repeat(20_000)) }, why('protocol')],
  ])('a host that %s', async (_, script, outcome) => expect(await answered(script)).toEqual(outcome));

  test.each<[string, Script, object, object]>([
    ['the greeting', { greeting: hang }, { setupMs: 50 }, why('timeout')],
    ['EHLO', { EHLO: hang }, { setupMs: 50 }, why('timeout')],
    ['MAIL', { MAIL: hang, EHLO: '250 there' }, { envelopeMs: 50 }, midway('timeout')],
    ['DATA', { DATA: hang }, { envelopeMs: 50 }, midway('timeout')],
  ])('a host that hangs at %s', async (_, script, deadlines, outcome) =>
    expect(await answered(script, { deadlines })).toEqual(outcome),
  );

  test('a host that stops reading in the middle of a letter', async () => {
    await using there = await scriptedSmtp({ EHLO: '250 there', body: (socket) => socket.pause() });
    const bytes = Buffer.alloc(32 * 1024 * 1024, 'line of a letter\r\n');
    let asked = 0;
    const beforeFinalDot = (): Promise<void> => Promise.resolve(void (asked += 1));
    const options = optionsFor(there.port, { deadlines: { pieceMs: 200 } });
    expect(await sendOver(options, { bytes, beforeFinalDot })).toEqual(midway('timeout'));
    expect(asked).toBe(0);
  });

  test('no one listens', async () => {
    expect(await sendOver(optionsFor(await deadPort()))).toEqual(why('refused'));
  });

  test('a name that leads nowhere', async () => {
    await using there = await scriptedSmtp({});
    const lookup = () => Promise.reject(new Error('ENOTFOUND'));
    expect(await sendOver(optionsFor(there.port, { lookup }))).toEqual(why('dns'));
  });

  test('a private address that the operator did not list is never connected to', async () => {
    await using there = await scriptedSmtp({});
    const { allowedHosts } = optionsFor(1, {
      allowedHosts: { names: new Set(), networks: { has: () => false } },
    });
    expect(await sendOver(optionsFor(there.port, { allowedHosts }))).toEqual(why('address'));
    expect(await sendOver(optionsFor(there.port, { allowedHosts, host: '127.0.0.1' }))).toEqual(
      why('address'),
    );
    expect(there.connections).toHaveLength(0);
  });
});
