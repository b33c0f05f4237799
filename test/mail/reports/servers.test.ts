// Reports in the shapes that mail servers of all sorts give them, each written for this test.
import { describe, expect, test } from 'vitest';
import { block, dsn, fields, from, LETTER, multipart, notice, only, plain, read } from './letters.ts';

describe('refused, by server', () => {
  test('Exim without fields: two recipients, each with its own fate', async () => {
    const text = notice(
      'A message that you sent could not be delivered to one or more of its\nrecipients. This is a permanent error. The following address(es) failed:\n\n  ada@example.org\n    host mx.example.org [192.0.2.1]\n    SMTP error from remote mail server after RCPT TO:<ada@example.org>:\n    550 No Such User Here\n  ben@example.net\n    host mx.example.net [192.0.2.2]\n    SMTP error from remote mail server after end of data:\n    550 This message scored 14.2 points.\n',
      'X-Failed-Recipients: ada@example.org, ben@example.net\n',
    );
    expect((await read(text)).reports.map((each) => [each.recipient, each.kind])).toEqual([
      ['ada@example.org', 'hard'],
      ['ben@example.net', 'policy'],
    ]);
  });

  test('Exim: a sender that could not be verified', async () => {
    const text = notice(
      'The following address(es) failed:\n\n  ada@example.org\n    host mx.example.org [192.0.2.1]\n    SMTP error from remote mail server after RCPT TO:<ada@example.org>:\n    550-Postmaster verification failed while checking <sender@dunnock.example>\n    550-This host does not accept mail from domains whose servers reject the\n    550-postmaster address.\n    550 Sender verify failed\n',
    );
    expect(await only(text)).toMatchObject({ kind: 'policy', diagnostic_class: 'sender_refused' });
  });

  test('qmail: a local mailbox that is none', async () => {
    const text = notice(
      `Hi. This is the qmail-send program at relay.example.org.\n\n<ada@example.org>:\nSorry, no mailbox here by that name. (#5.1.1)\n\n--- Below this line is a copy of the message.\n\n${LETTER}`,
    );
    expect(await only(text)).toMatchObject({ kind: 'hard', status: '5.1.1' });
  });

  test('qmail: refused after the letter was given over', async () => {
    const text = notice(
      '<ada@example.org>:\n192.0.2.1 failed after I sent the message.\nRemote host said: 550 no such user\n',
    );
    expect(await only(text)).toMatchObject({ kind: 'policy', diagnostic_class: 'filtered' });
  });

  test('Sendmail: a transcript of a session beside its fields', async () => {
    const prose =
      '   ----- The following addresses had permanent fatal errors -----\n<ada@example.org>\n    (reason: 550 Unknown user)\n\n   ----- Transcript of session follows -----\n... while talking to mx.example.org.:\n>>> RCPT To:<ada@example.org>\n<<< 550 Unknown user\n550 5.1.1 <ada@example.org>... User unknown\n';
    expect(await only(dsn(block('failed', '5.1.1', '550 Unknown user'), prose))).toMatchObject({
      kind: 'hard',
      status: '5.1.1',
      smtp_code: '550',
    });
  });

  test('MDaemon: a transcript with its own arrows', async () => {
    const text = notice(
      'The attached message could not be delivered to:\n\n    ada@example.org\n\nSession Transcript:\n  --> MAIL From:<sender@dunnock.example>\n  <-- 250 Sender ok\n  --> RCPT To:<ada@example.org>\n  <-- 550 No such user here\n  --> QUIT\n',
    );
    expect(await only(text)).toMatchObject({ kind: 'hard', recipient: 'ada@example.org' });
  });

  test('hMailServer: what it sent, and what was replied', async () => {
    const text = notice(
      'The following recipient(s) could not be reached:\n\nada@example.org\n   Error Type: SMTP\n   Remote server (192.0.2.1) issued an error.\n   hMailServer sent: RCPT TO:<ada@example.org>\n   Remote server replied: 550 No such user\n',
    );
    expect(await only(text)).toMatchObject({ kind: 'hard', recipient: 'ada@example.org' });
  });

  test.each([
    ['RCPT TO', 'hard'],
    ['TEXT', 'policy'],
  ])('GMX: refused for the %s command is %s', async (command, kind) => {
    const text = notice(
      `The following address failed:\n\n    ada@example.org:\n        SMTP error from remote server for ${command} command, host: mx.example.org (192.0.2.1) reason: 550 No such user\n\n--- The header of the original message is following. ---\n\n${LETTER}`,
    );
    expect(await only(text)).toMatchObject({ kind, recipient: 'ada@example.org' });
  });

  test('Amazon SES: fields in its own order', async () => {
    const said =
      'Action: failed\nFinal-Recipient: rfc822; ada@example.org\nDiagnostic-Code: smtp; 550 5.1.1 user unknown\nStatus: 5.1.1\n';
    expect(await only(dsn(said))).toMatchObject({ kind: 'hard', recipient: 'ada@example.org' });
  });

  test('Amazon SES: a full mailbox, in JSON', async () => {
    const gone = {
      emailAddress: 'ada@example.org',
      action: 'failed',
      status: '5.2.2',
      diagnosticCode: 'smtp; 552 5.2.2 mailbox full',
    };
    const body = {
      notificationType: 'Bounce',
      bounce: { bounceType: 'Transient', bouncedRecipients: [gone] },
    };
    const text = `From: SES <no-reply@sns.amazonaws.com>\nSubject: AWS Notification Message\n\n${JSON.stringify(body)}\n`;
    expect(await only(text)).toMatchObject({ kind: 'soft', diagnostic_class: 'mailbox_full' });
  });

  test('a relay that gave up after days is soft', async () => {
    const said =
      '554 5.4.7 [internal] message timeout (exceeded max time, last transfail: 451 4.7.1 greylisted)';
    expect(await only(dsn(block('failed', '5.4.7', said)))).toMatchObject({ kind: 'soft' });
  });
});

describe('a null MX (RFC 7505)', () => {
  test.each([
    ['Postfix', '5.1.0', 'Domain example.org does not accept mail (nullMX)'],
    ['Sendmail, under the code for senders', '5.7.27', '550 Host does not accept mail'],
    [
      'a receiver',
      '5.1.10',
      '556 5.1.10 <ada@example.org>: Domain example.org does not accept mail (nullMX)',
    ],
  ])('of the recipient, as %s reports it, is the end', async (_, status, diagnostic) => {
    expect(await only(dsn(block('failed', status, diagnostic)))).toMatchObject({
      kind: 'hard',
      diagnostic_class: 'accepts_no_mail',
    });
  });

  test.each([
    '550 5.7.27 Host does not accept mail',
    '550 5.7.27 <sender@dunnock.example>: Sender address rejected: Domain dunnock.example does not accept mail (nullMX)',
    '550 Sender domain does not accept mail',
    '550 This host does not accept mail from domains whose servers refuse bounces',
  ])('of the sender is about the sender: %s', async (diagnostic) => {
    expect(await only(dsn(block('failed', '5.7.27', diagnostic)))).toMatchObject({ kind: 'policy' });
  });
});

describe('a warning of delay condemns no one, whatever refusal it names', () => {
  test('Postfix, by its fields', async () => {
    const said =
      '<ada@example.org>: host mx.example.org[192.0.2.1] said: 550 5.1.1\n    <ada@example.org>: User unknown (in reply to RCPT TO command)\n';
    const text = dsn(block('delayed', '4.1.1', '550 5.1.1 <ada@example.org>: User unknown'), said);
    expect(await only(text)).toMatchObject({ kind: 'soft', action: 'delayed' });
  });

  test.each([
    [
      'Exim',
      'Warning: message 1abc-2 delayed 24 hours',
      'The address to which the message has not yet been delivered is:\n\n  ada@example.org\n    host mx.example.org [192.0.2.1]\n    Delay reason: SMTP error from remote mail server after RCPT TO:<ada@example.org>:\n    550 unknown user\n',
    ],
    [
      'Sendmail',
      'Warning: could not send message for past 4 hours',
      '<ada@example.org>... Deferred: 550 unknown user\nWill keep trying until message is 5 days old\n',
    ],
    [
      'Postfix',
      'Delayed Mail (still being retried)',
      'It will be retried until it is 5 days old.\n\n<ada@example.org>: host mx.example.org[192.0.2.1] said: 550 5.1.1 User unknown (in reply to RCPT TO command)\n',
    ],
  ])('%s, in prose', async (_, subject, body) => {
    expect(await only(plain('MAILER-DAEMON@relay.example.org', subject, body))).toMatchObject({
      kind: 'soft',
      action: 'delayed',
      recipient: 'ada@example.org',
    });
  });

  test('the same refusal, given up, is the end', async () => {
    const body =
      '<ada@example.org>: host mx.example.org[192.0.2.1] said: 550 5.1.1 User unknown (in reply to RCPT TO command)\n';
    expect(await only(notice(body))).toMatchObject({ kind: 'hard', action: null });
  });
});

describe('whom a notice is about', () => {
  test.each([
    [
      'in the signs of East Asia',
      '收件人邮件地址（ada@example.org）不存在，邮件无法送达。\nhost mx.example.org said: 550 Mailbox not found (in reply to RCPT TO)\n',
    ],
    [
      'as whom the message was for',
      "The following message to <ada@example.org> was undeliverable.\nThe reason for the problem:\n5.1.1 - Bad destination email address 'reject'\n",
    ],
    [
      'with the day in figures',
      'The following recipient(s) could not be reached:\n\n      ada@example.org on 02.11.2026 10:00\n            The e-mail account does not exist.\n            <mx.example.org #5.1.1>\n',
    ],
    [
      'as the only one in the text',
      'We tried ada@example.org. Reason: unknown user. Ask postmaster@relay.example.org.\n',
    ],
  ])('is read %s', async (_, body) => {
    expect(await only(notice(body))).toMatchObject({ kind: 'hard', recipient: 'ada@example.org' });
  });

  test('of two of whom no sentence says that it failed, neither is taken', async () => {
    const body = 'We tried ada@example.org and ben@example.net. Reason: unknown user.\n';
    expect((await read(notice(body))).reports).toMatchObject([{ recipient: null }]);
  });

  test('is in a header where the fields were left empty', async () => {
    const top = from(
      'mailer-daemon@relay.example.org',
      'Delivery Status Notification (Failure)',
      'X-Failed-Recipients: ada@example.org\n',
    );
    const text = multipart(top, [
      { type: 'text/plain', body: '** Message not delivered **\n\nThe server does not offer AUTH\n' },
      { ...fields(''), body: '' },
      { type: 'text/rfc822-headers', body: LETTER },
    ]);
    expect(await only(text)).toMatchObject({
      kind: 'soft',
      recipient: 'ada@example.org',
      original_message_id: 'letter-1@dunnock.example',
    });
  });
});

describe('what looks like a bounce', () => {
  const AWAY = 'Auto-Submitted: auto-replied\n';

  test.each([
    ['Automatic reply: A question', 'My mailbox ada@example.org is full: 550 5.1.1 user unknown.\n'],
    ['Undeliverable? No: Ada has left', 'Ada no longer works here. The address is no longer in use.\n'],
    ['Mail delivery failed, I am away', 'Write to ada@example.org again on Monday, account unknown.\n'],
  ])('an absence notice, "%s"', async (subject, body) => {
    expect(await read(plain('Ada <ada@example.org>', subject, body, AWAY))).toMatchObject({
      kind: 'automatic',
      reports: [{ kind: 'automatic', recipient: 'ada@example.org' }],
    });
  });

  test.each([
    ['Mail Delivery News <news@example.org>', 'How to mend a failed delivery'],
    ['Ben Postmaster-Jones <ben@example.org>', 'Delivery problem'],
    ['Parcel Delivery System <noreply@parcel.example>', 'Delivery failed'],
  ])('a letter of %s about a delivery', async (sender, subject) => {
    const text = `From: ${sender}\nSubject: ${subject}\n\nYour parcel could not be delivered to ada@example.org: 550 5.1.1, address unknown.\n`;
    expect((await read(text)).kind).toBe('none');
  });

  test('a receipt that a letter was read', async () => {
    const text = multipart(
      'From: Ada <ada@example.org>\nSubject: Read: A question\n',
      [
        { type: 'text/plain', body: 'Your message was read.' },
        {
          type: 'message/disposition-notification',
          body: 'Final-Recipient: rfc822;ada@example.org\nDisposition: manual-action/MDN-sent-manually; displayed\n',
        },
      ],
      'report; report-type=disposition-notification',
    );
    expect(await read(text)).toMatchObject({ kind: 'receipt', reports: [] });
  });
});
