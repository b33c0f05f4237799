// Bounces in prose: whom they are about, what they say of each, and whose mail is no bounce at all.
import { describe, expect, test } from 'vitest';
import { LETTER, multipart, notice, only, read } from './letters.ts';

const kinds = async (text: string): Promise<[string | null, string][]> =>
  (await read(text)).reports.map(({ recipient, kind }) => [recipient, kind]);

describe('notices of mail systems', () => {
  test('qmail: an address and its reason, several times', async () => {
    const text = notice(
      `Hi. This is the qmail-send program at relay.example.org.\nI gave up.\n\n<ada@example.org>:\n192.0.2.25 does not like recipient.\nRemote host said: 550 no such user\nGiving up on 192.0.2.25.\n\n<ben@example.org>:\n192.0.2.25 does not like recipient.\nRemote host said: 552 mailbox full\n\n--- Below this line is a copy of the message.\n\n${LETTER}\nHello`,
    );
    expect(await kinds(text)).toEqual([
      ['ada@example.org', 'hard'],
      ['ben@example.org', 'soft'],
    ]);
    expect((await read(text)).original_message_ids).toEqual(['letter-1@dunnock.example']);
  });

  test('Exim: an indented list, a header of failed recipients, and an address before forwarding', async () => {
    const text = notice(
      `The following address(es) failed:\n\n  ada@inner.example\n    (generated from ada@example.org)\n    SMTP error from remote mail server after RCPT TO:<ada@inner.example>:\n    host mx [192.0.2.1]: 550 Unknown user\n\n------ This is a copy of the message, including all the headers. ------\n\n${LETTER}`,
      'X-Failed-Recipients: ada@inner.example\n',
    );
    expect(await only(text)).toMatchObject({
      kind: 'hard',
      recipient: 'ada@inner.example',
      original_recipient: 'ada@example.org',
    });
  });

  test('Exim: a header of failed recipients alone', async () => {
    expect(await kinds(notice('Sorry.', 'X-Failed-Recipients: ada@example.org, ben@example.org\n'))).toEqual([
      ['ada@example.org', 'soft'],
      ['ben@example.org', 'soft'],
    ]);
  });

  test('Postfix without its fields', async () => {
    const text = notice(
      '<ada@example.org>: host mx.example.org[192.0.2.2] said: 550 5.1.1\n    <ada@example.org>: Recipient address rejected: User unknown (in reply to RCPT TO command)\n',
    );
    expect(await only(text)).toMatchObject({ kind: 'hard', status: '5.1.1', smtp_code: '550' });
  });

  test('Sendmail: a list, then a transcript', async () => {
    const text = notice(
      '   ----- The following addresses had permanent fatal errors -----\n<ada@example.org>\n    (reason: 550 Mailbox quota exceeded)\n\n   ----- Transcript of session follows -----\n>>> DATA\n<<< 550 Mailbox quota exceeded\n\n   ----- Original message follows -----\n' +
        LETTER,
    );
    expect(await only(text)).toMatchObject({ kind: 'soft', diagnostic_class: 'mailbox_full' });
  });

  test('Sendmail: a transcript of commands sent in one go tells that RCPT was refused', async () => {
    const text = notice(
      '<ada@example.org>\n\n   ----- Transcript of session follows -----\n>>> DATA\n<<< 550 5.0.0 No such user\n<<< 503 5.0.0 Need RCPT (recipient)\n',
    );
    expect(await only(text)).toMatchObject({ kind: 'hard', diagnostic_class: 'no_such_address' });
  });

  test('Exchange of old and Domino: their own words, no codes', async () => {
    const exchange =
      'Your message\n\n  To:      ada@example.org\n\ndid not reach the following recipient(s):\n\nada@example.org on Thu, 1 Mar 2007 10:00:00 +0100\n    The recipient name is not recognized\n';
    const domino =
      'Your message\n\n  Subject: A question\n\nwas not delivered to:\n\n  ada@example.org\n\nbecause:\n\n  User Ada (ada@example.org) not listed in Domino Directory\n';
    expect(await kinds(notice(exchange))).toEqual([['ada@example.org', 'hard']]);
    expect(await kinds(notice(domino))).toEqual([['ada@example.org', 'hard']]);
  });

  test('a mail desk that names the address in a sentence', async () => {
    const text = notice(
      'Unable to deliver message to: <ada@example.org>\nReason: 550 5.7.1 spam score too high\n',
    );
    expect(await only(text)).toMatchObject({
      kind: 'policy',
      diagnostic_class: 'spam',
      recipient: 'ada@example.org',
    });
  });

  test('a page alone, without plain text', async () => {
    const text =
      'Return-Path: <>\nFrom: postmaster@example.org\nSubject: Undeliverable: A question\nContent-Type: text/html\n\n<html><body><p>Delivery has failed to these recipients:</p><p><a href="mailto:ada@example.org">ada@example.org</a></p><p>The email address wasn&#39;t found at the destination domain.</p></body></html>';
    expect(await kinds(text)).toEqual([['ada@example.org', 'hard']]);
  });

  test('a warning of delay is soft', async () => {
    const text = notice(
      'Delivery to the following recipient has been delayed:\n\n     ada@example.org\n\nIt will be retried.\n',
    );
    expect(await only(text)).toMatchObject({ kind: 'soft', diagnostic_class: 'expired' });
  });

  test('no status, no reply and no known words are soft', async () => {
    expect(await only(notice('Something went astray:\n\n<ada@example.org>\n'))).toMatchObject({
      kind: 'soft',
      status: null,
      diagnostic_class: 'unspecified',
    });
  });

  test('a notice that names no one is about whom the returned letter was for', async () => {
    const text = multipart(
      'Return-Path: <>\nFrom: Mail Delivery Subsystem <mailer-daemon@example.org>\nSubject: Delivery failed\n',
      [
        { type: 'text/plain', body: 'The mailbox is full.' },
        { type: 'message/rfc822', body: `${LETTER}\nHello` },
      ],
      'mixed',
    );
    expect(await only(text)).toMatchObject({ kind: 'soft', recipient: 'ada@example.org' });
  });

  test("a service's notice in JSON says the same", async () => {
    const mail = (body: object): string =>
      `From: SES <no-reply@sns.amazonaws.com>\nSubject: AWS Notification Message\n\n${JSON.stringify({ mail: { commonHeaders: { messageId: '<letter-1@dunnock.example>' } }, ...body })}\n\n--\nTo stop, click.\n`;
    const bounce = {
      notificationType: 'Bounce',
      bounce: { bouncedRecipients: [{ emailAddress: 'ada@example.org', action: 'failed', status: '5.1.1' }] },
    };
    const complained = {
      notificationType: 'Complaint',
      complaint: {
        complainedRecipients: [{ emailAddress: 'ada@example.org' }],
        complaintFeedbackType: 'abuse',
      },
    };
    expect(await only(mail(bounce))).toMatchObject({
      kind: 'hard',
      original_message_id: 'letter-1@dunnock.example',
    });
    expect(await only(mail(complained))).toMatchObject({ kind: 'complaint', feedback_type: 'abuse' });
    expect(
      await only(mail({ notificationType: 'Delivery', delivery: { recipients: ['ada@example.org'] } })),
    ).toMatchObject({ kind: 'delivered', recipient: 'ada@example.org' });
  });
});

describe("a person's letter is no bounce", () => {
  const BOUNCE =
    '\n<ada@example.org>:\n550 5.1.1 no such user\n\nFinal-Recipient: rfc822; ada@example.org\nAction: failed\nStatus: 5.1.1\n';

  test.each([
    ['that quotes one', 'From: Ben <ben@example.org>\nSubject: Re: A question\n'],
    [
      'that passes one on',
      'From: Ben <ben@example.org>\nSubject: Fwd: Undelivered Mail Returned to Sender\n',
    ],
    ['about a delivery', 'From: Ben <ben@example.org>\nSubject: Delivery problem with order 7\n'],
  ])('%s', async (_, header) => {
    expect(await read(`${header}\n${BOUNCE}`)).toMatchObject({ kind: 'none', reports: [], automatic: null });
  });

  test('from the desk of postmaster', async () => {
    const text =
      'From: Postmaster <postmaster@example.org>\nSubject: Re: A question\n\nYes please, call me. My account is below.\n';
    expect((await read(text)).kind).toBe('none');
  });

  test('with a bounce attached as a letter', async () => {
    const text = multipart(
      'From: Ben <ben@example.org>\nSubject: look at this\n',
      [
        { type: 'text/plain', body: 'See attached.' },
        { type: 'message/rfc822', body: notice(BOUNCE) },
      ],
      'mixed',
    );
    expect((await read(text)).kind).toBe('none');
  });
});
