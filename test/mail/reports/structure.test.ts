// What a report says by how it is built, whatever words its system chose.
import { describe, expect, test } from 'vitest';
import { block, dsn, from, LETTER, multipart, notice, only, plain, read } from './letters.ts';

const rows = async (text: string): Promise<[string | null, string][]> =>
  (await read(text)).reports.map(({ recipient, kind }) => [recipient, kind]);

describe('a transcript of several recipients', () => {
  const transcript = notice(
    '   ----- Transcript of session follows -----\nWhile talking to mx.closed.example:\n>>> MAIL From:<sender@dunnock.example>\n<<< 501 <sender@dunnock.example>... no access for your server\n554 <ada@closed.example>... Remote protocol error\n550 gone.example (smtp)... 550 Host unknown\n554 <ben@gone.example>... 550 Host unknown (Authoritative answer from name server)\nWhile talking to mx.example.edu:\n>>> RCPT To:<cleo@example.edu>\n<<< 550 <cleo@example.edu>... User unknown\n550 <cleo@example.edu>... User unknown\n\n   ----- Unsent message follows -----\n' +
      LETTER,
  );

  test('says of each what is above the line that closes with it', async () => {
    expect(await rows(transcript)).toEqual([
      ['ada@closed.example', 'policy'],
      ['ben@gone.example', 'hard'],
      ['cleo@example.edu', 'hard'],
    ]);
  });

  test('that begins with a refusal was refused before anything was asked', async () => {
    const prose =
      '<ada@example.org>\n    (reason: 554 IP=192.0.2.4 - a problem (BL))\n\n... while talking to mx.example.org.:\n<<< 554 IP=192.0.2.4 - a problem (BL)\n>>> QUIT\n<<< 421 4.7.0 too many errors\n554 5.0.0 Service unavailable\n';
    expect(
      await only(dsn(block('failed', '5.5.0', '554 IP=192.0.2.4 - a problem (BL)'), prose)),
    ).toMatchObject({
      kind: 'policy',
      diagnostic_class: 'sender_refused',
      status: '5.5.0',
    });
  });
});

describe('a list', () => {
  test('may hold a reply behind each address', async () => {
    const text = notice(
      'A message could not be delivered.\n\nada@example.org Wrong address, CODE :550, CODE :5.1.1 <ada@example.org>... User Unknown\nben@example.org Wrong address, CODE :550, CODE :5.2.2 <ben@example.org>... Mailbox Full\n',
    );
    expect(await rows(text)).toEqual([
      ['ada@example.org', 'hard'],
      ['ben@example.org', 'soft'],
    ]);
  });

  test('may hold a reason in brackets', async () => {
    expect(await rows(notice('--- Errors ---\n\nada@example.org [Mailbox full]\n'))).toEqual([
      ['ada@example.org', 'soft'],
    ]);
  });

  test('does not count who wrote the letter', async () => {
    const text = notice(
      `A message sent by\n\n  <me@dunnock.example>\n\ncould not be delivered. These failed:\n\n  ada@example.org\n    all hosts have been failing for a long time\n\n------ This is a copy of the message. ------\n\nReturn-path: <me@dunnock.example>\n${LETTER}`,
      'X-Failed-Recipients: ada@example.org\n',
    );
    expect(await rows(text)).toEqual([['ada@example.org', 'soft']]);
  });
});

describe('a letter of ours that comes back', () => {
  const returned = (top: string, prose: string): string =>
    multipart(
      top,
      [
        { type: 'text/plain', body: prose },
        {
          type: 'message/rfc822',
          body: 'From: sender@dunnock.example\nTo: ada@example.org\nSubject: A question\n\nHello',
        },
      ],
      'mixed',
    );
  const PROSE =
    'Your mail sent yesterday\n  could not be delivered to: <ada@example.org>\n  As their mailbox is full.';
  const top = (sender: string, rest = ''): string =>
    `${rest}From: ${sender}\nTo: <sender@dunnock.example>\nSubject: Mail\n`;

  test.each([
    ['with an empty return path', top('mail@example.org', 'Return-Path: <>\n')],
    ['from an address that nobody reads', top('no-reply@example.org')],
  ])('%s is a bounce, whatever its subject', async (_, header) => {
    expect(await only(returned(header, PROSE))).toMatchObject({
      kind: 'soft',
      recipient: 'ada@example.org',
      diagnostic_class: 'mailbox_full',
    });
  });

  test('is none from a person, nor where it says nothing of a delivery, nor where it is someone else’s', async () => {
    expect((await read(returned(top('cleo@example.org'), PROSE))).kind).toBe('none');
    const noReply = top('no-reply@example.org');
    expect((await read(returned(noReply, 'We got your letter to <ada@example.org>.'))).kind).toBe('none');
    const others = returned(noReply.replace('sender@dunnock', 'other@dunnock'), PROSE);
    expect((await read(others)).kind).toBe('none');
  });
});

describe('a block of fields', () => {
  test('about a program or a file says nothing of the address', async () => {
    const status = 'Action: failed\nStatus: 5.0.0\n';
    for (const program of ['|/usr/bin/filter ada@example.org', '/var/mail/ada', '"|/usr/bin/filter"'])
      expect(await only(dsn(`Final-Recipient: rfc822;${program}\n${status}`))).toMatchObject({
        kind: 'soft',
        diagnostic_class: 'system',
      });
  });

  test('keeps the meaning of its code where a reporter adds words of its own', async () => {
    const prose = '>>> DATA\n<<< 552 5.6.0 Three headers at most\n554 5.0.0 Service unavailable\n';
    expect(await only(dsn(block('failed', '5.6.0', '552 5.6.0 Three headers at most'), prose))).toMatchObject(
      {
        kind: 'policy',
        diagnostic_class: 'content',
      },
    );
  });

  test('is not read as what another reply of the transcript said', async () => {
    const prose =
      '>>> RCPT To:<ada@example.org>\n<<< 550 no user of that name\n>>> QUIT\n<<< 421 4.7.0 bye\n';
    expect(await only(dsn(block('failed', '5.0.0', '550 no such user'), prose))).toMatchObject({
      kind: 'hard',
      status: '5.0.0',
    });
  });

  test('however it is put, the one command that is named was refused', async () => {
    const said = (command: string) =>
      only(
        plain(
          'MAILER-DAEMON@relay.example.org',
          'Mail delivery failed',
          `<ada@example.org>\nour ${command} met with:\n550 user unknown\n`,
        ),
      );
    expect(await said('RCPT TO')).toMatchObject({ kind: 'hard' });
    expect(await said('MAIL FROM')).toMatchObject({ kind: 'policy', diagnostic_class: 'sender_refused' });
  });
});

describe('a notice in JSON', () => {
  const message = JSON.stringify({
    notificationType: 'Bounce',
    bounce: {
      bouncedRecipients: [
        {
          emailAddress: 'ada@example.org',
          action: 'failed',
          status: '5.1.1',
          diagnosticCode: 'smtp; 550 5.1.1 user unknown',
        },
      ],
    },
    mail: { commonHeaders: { messageId: '<letter-1@dunnock.example>', subject: 'A question that is long' } },
  });
  const top = from('Notices <no-reply@service.example>', 'Notification');
  const mail = (body: string): string => `${top}Content-Type: text/plain; charset=utf-8\n\n${body}`;

  test('is read where it is wrapped, and in the envelope it was posted in', async () => {
    const wrapped = message.replace('that is', 'that\n is');
    const posted = JSON.stringify({ Type: 'Notification', Message: message }, null, 2);
    const cut = posted.replace('that is', 'that\n is');
    for (const body of [
      message,
      wrapped,
      posted,
      cut,
      `${posted}\n\n--\nTo stop these notices, visit https://service.example\n`,
    ])
      expect((await read(mail(body))).reports).toMatchObject([
        { kind: 'hard', recipient: 'ada@example.org', original_message_id: 'letter-1@dunnock.example' },
      ]);
  });

  test('is not read behind a person’s words', async () => {
    expect((await read(mail(`Look at this:\n\n${message}\n`))).reports).not.toMatchObject([{ kind: 'hard' }]);
  });
});

describe('who gives someone up and states no code', () => {
  const given = (diagnostic: string): string => dsn(block('failed', '', diagnostic), 'Not delivered.\n');

  test('passes on the only word there is of an address that the receiver names', async () => {
    expect(await only(given('550 No such user ada@example.org'))).toMatchObject({
      kind: 'hard',
      diagnostic_class: 'no_such_address',
    });
    expect(await only(given('550 <ada@example.org>... User not exist'))).toMatchObject({ kind: 'hard' });
  });

  test('leaves it to the filter where the receiver names no one, or a code is stated', async () => {
    expect(await only(given('550 No such user'))).toMatchObject({ kind: 'policy' });
    expect(await only(dsn(block('failed', '5.0.0', '550 No such user ada@example.org'), ''))).toMatchObject({
      kind: 'policy',
    });
  });
});

describe('a refusal after the letter', () => {
  const after = (reply: string, step: string): string =>
    dsn(
      block('failed', '5.0.0', reply),
      `<ada@example.org>: host mx.example.org[192.0.2.2] said: ${reply} (in reply to ${step} command)\n`,
    );

  test('is of the letter, also with a code for a command that was not understood', async () => {
    expect(await only(after('504 Parameter not implemented', 'end of DATA'))).toMatchObject({
      kind: 'policy',
    });
    expect(await only(after('504 Parameter not implemented', 'RCPT TO'))).toMatchObject({ kind: 'soft' });
  });
});

describe('the program of a mailing list', () => {
  const answer = (from: string, header: string, body: string): string =>
    `From: ${from}\nTo: sender@dunnock.example\nSubject: Your message to news\n${header}In-Reply-To: <letter-1@dunnock.example>\nContent-Type: text/plain\n\n${body}\n`;
  const refusal =
    'You are not subscribed to the list <news@club.example>.\n\nWrite to news-help@club.example.';

  test('that lets no one else post is the policy of the list', async () => {
    expect(
      await only(answer('news-owner@club.example', 'List-Id: <news.club.example>\n', refusal)),
    ).toMatchObject({
      kind: 'policy',
      diagnostic_class: 'sender_refused',
      recipient: 'news@club.example',
      original_message_id: 'letter-1@dunnock.example',
      said: 'You are not subscribed to the list <@>.',
    });
  });

  test('that has seen the letter before says so of itself', async () => {
    const body = 'Duplicate Message-ID in <news@club.example>.';
    expect(await only(answer('owner-news@club.example', 'X-MLServer: fml\n', body))).toMatchObject({
      kind: 'soft',
      recipient: 'news@club.example',
    });
  });

  test('is believed with both signs alone: a person may say the same', async () => {
    for (const [from, header] of [
      ['ada@club.example', 'List-Id: <news.club.example>\n'],
      ['news-owner@club.example', ''],
    ] as const)
      expect((await read(answer(from, header, refusal))).kind).toBe('none');
    expect(
      (await read(answer('news-owner@club.example', 'List-Id: <news.club.example>\n', 'Welcome!'))).reports,
    ).toEqual([]);
  });
});
