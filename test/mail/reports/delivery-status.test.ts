// Reports of RFC 3464: whose fate, which kind, and which letter they are about.
import { describe, expect, test } from 'vitest';
import { block, dsn, LETTER, multipart, only, read } from './letters.ts';

describe('the fields of the delivery-status part decide', () => {
  test.each([
    ['failed', '5.1.1', 'hard', 'no_such_address'],
    ['failed', '5.1.2', 'hard', 'no_such_host'],
    ['failed', '5.1.10', 'hard', 'accepts_no_mail'],
    ['failed', '5.0.0', 'hard', 'unspecified'],
    ['failed', '5.2.2', 'soft', 'mailbox_full'],
    ['failed', '5.4.7', 'soft', 'expired'],
    ['failed', '5.7.1', 'policy', 'policy'],
    ['failed', '5.7.26', 'policy', 'authentication'],
    ['failed', '5.1.8', 'policy', 'sender_refused'],
    ['failed', '5.2.3', 'policy', 'too_big'],
    ['failed', '4.4.1', 'soft', 'network'],
    ['failed', '4.1.1', 'soft', 'no_such_address'],
    ['failed', '4.7.1', 'soft', 'policy'],
    ['failed', '', 'soft', 'unspecified'],
    ['delayed', '5.1.1', 'soft', 'no_such_address'],
    ['delivered', '2.0.0', 'delivered', null],
    ['relayed', '2.1.9', 'delivered', null],
    ['expanded', '2.1.5', 'delivered', null],
  ])('%s %s is %s: %s', async (action, status, kind, cause) => {
    expect(await only(dsn(block(action, status)))).toMatchObject({ kind, diagnostic_class: cause });
  });

  test('several recipients are in one block each', async () => {
    const { kind, reports } = await read(
      dsn(
        `${block('failed', '5.1.1', '', 'ada@example.org')}\n${block('delivered', '2.0.0', '', 'ben@Example.NET')}`,
      ),
    );
    expect(kind).toBe('bounce');
    expect(reports.map((each) => [each.recipient, each.kind])).toEqual([
      ['ada@example.org', 'hard'],
      ['ben@example.net', 'delivered'],
    ]);
  });

  test('a report that all were reached is a receipt, not a bounce', async () => {
    expect((await read(dsn(block('delivered', '2.0.0')))).kind).toBe('receipt');
  });

  test('the address before forwarding, the code, the reply and the refusing host are read', async () => {
    const text = `Original-Recipient: rfc822;ada@example.org\n${block('failed', '5.1.1', '550 5.1.1 no such user', '<a@inner.example>')}Remote-MTA: dns; MX1.inner.example\n`;
    expect(await only(dsn(text))).toMatchObject({
      recipient: 'a@inner.example',
      original_recipient: 'ada@example.org',
      status: '5.1.1',
      smtp_code: '550',
      host: 'mx1.inner.example',
    });
  });

  test('the letter is known by its Message-ID, and the report by where it was sent', async () => {
    const found = await read(dsn(block('failed', '5.1.1')));
    expect(found.original_message_ids).toEqual(['letter-1@dunnock.example']);
    expect(found.reports[0]?.original_message_id).toBe('letter-1@dunnock.example');
    expect(found.addressed_to).toEqual(['bounce+n81.x@dunnock.example']);
  });

  test('a returned letter in full gives its Message-ID too, and of the text of the stranger what the server said is carried on alone', async () => {
    const secret = 'go to https://evil.example now';
    const found = await read(
      multipart('From: postmaster@example.org\nSubject: Undeliverable: A question\n', [
        { type: 'text/plain', body: secret },
        {
          type: 'message/delivery-status',
          body: `Reporting-MTA: dns; x.example\n\n${block('failed', '5.1.1', `550 5.1.1 ${secret}`)}`,
        },
        { type: 'message/rfc822', body: `${LETTER}\n${secret}` },
      ]),
    );
    expect(found.original_message_ids).toEqual(['letter-1@dunnock.example']);
    const [{ said, ...ours }] = found.reports as [(typeof found.reports)[0]];
    expect(said).toBe(`550 5.1.1 ${secret}`);
    expect(JSON.stringify({ ...found, reports: [ours] })).not.toContain('evil');
  });

  test('folded fields, odd case and comments are read', async () => {
    const found = await only(
      dsn(
        'FINAL-RECIPIENT: RFC822;\n  <Ada@EXAMPLE.org>\naction: Failed (gave up)\nSTATUS: 5.1.1 (no such user)\n',
      ),
    );
    expect(found).toMatchObject({ kind: 'hard', recipient: 'Ada@example.org', status: '5.1.1' });
  });

  test('an international address is read from its spelling in ASCII', async () => {
    const text = 'Final-Recipient: utf-8; \\x{30CD}\\x{30B3}@example.org\nAction: failed\nStatus: 5.1.1\n';
    expect((await only(dsn(text))).recipient).toBe('ネコ@example.org');
  });

  test('an address of another type is none', async () => {
    const text = 'Final-Recipient: x400; /c=de/s=ada/\nAction: failed\nStatus: 5.2.2\n';
    expect((await only(dsn(text, 'Nothing is named.'))).recipient).toBe('ada@example.org');
  });

  test('fields whose part lost its boundaries are read where they exist', async () => {
    const text = `Return-Path: <>\nFrom: MAILER-DAEMON@relay.example.org\nSubject: Returned mail\nContent-Type: multipart/report; boundary="gone"\n\nSorry.\n\nReporting-MTA: dns; relay.example.org\n\n${block('failed', '5.1.1')}\n${LETTER}`;
    expect(await only(text)).toMatchObject({ kind: 'hard', recipient: 'ada@example.org' });
  });

  test('a Japanese diagnostic is read in its own charset', async () => {
    const start = dsn(block('failed', '5.0.0', '#'), 'Sorry.').split('smtp; #');
    const diagnostic = '\u001b$B8+$D$+$j$^$;$s\u001b(B';
    expect(await only(start.join(`x-notes; Ada ${diagnostic}`))).toMatchObject({
      kind: 'hard',
      diagnostic_class: 'no_such_address',
    });
  });

  test('what the reporter files a bounce under counts where the receiver gave no cause', async () => {
    const filed = `${block('failed', '5.0.0')}X-PowerMTA-BounceCategory: quota-issues\n`;
    expect(await only(dsn(filed))).toMatchObject({ kind: 'soft', diagnostic_class: 'mailbox_full' });
  });
});

describe('what the receiver says counts before its code', () => {
  test.each([
    ['5.1.1', '550 5.7.1 Your IP 192.0.2.7 is blacklisted, see https://rbl.example/', 'policy', 'blocked'],
    ['5.1.1', '552 5.2.2 mailbox ada is over quota', 'soft', 'mailbox_full'],
    [
      '5.1.1',
      '550 5.1.1 <ada@example.org>: Recipient address rejected: User unknown in table',
      'hard',
      'no_such_address',
    ],
    ['5.5.0', '550 5.5.0 The recipient account is blocked', 'soft', 'mailbox_inactive'],
    ['5.0.0', '550 DMARC check failed', 'policy', 'authentication'],
    ['5.0.0', '554 Message contains a virus', 'policy', 'malware'],
    ['5.0.0', '554 5.7.1 Relay access denied', 'policy', 'relay'],
    ['5.0.0', '552 Message size exceeds fixed limit', 'policy', 'too_big'],
    ['5.7.1', '550 5.7.1 Invalid recipient ada@example.org', 'policy', 'policy'],
    ['5.4.4', 'Host or domain name not found. Name service error', 'hard', 'no_such_host'],
    ['4.4.7', '451 4.7.650 rate limited due to IP reputation', 'policy', 'blocked'],
    ['5.0.0', '554 Transaction failed', 'soft', 'system'],
  ])('%s with "%s" is %s: %s', async (status, diagnostic, kind, cause) => {
    expect(await only(dsn(block('failed', status, diagnostic)))).toMatchObject({
      kind,
      diagnostic_class: cause,
    });
  });

  test('an unknown user counts as one at RCPT, and as a filter after the letter was given over', async () => {
    const said = block('failed', '5.0.0', '550 <ada@example.org>: User unknown');
    const at = (step: string): string =>
      dsn(said, `<ada@example.org>: host mx said: 550 User unknown (in reply to\n    ${step} command)`);
    expect(await only(at('RCPT TO'))).toMatchObject({ kind: 'hard', diagnostic_class: 'no_such_address' });
    expect(await only(at('end of DATA'))).toMatchObject({ kind: 'policy', diagnostic_class: 'filtered' });
  });

  test('a refusal before any recipient was named is about the sender', async () => {
    const said = block('failed', '5.0.0', '550 unknown domain dunnock.example');
    expect(await only(dsn(said, 'SMTP error after EHLO'))).toMatchObject({ kind: 'policy' });
  });

  test('a local part that is a word of a cause names no cause', async () => {
    const said = block('failed', '5.1.1', '550 5.1.1 <virus-spam-blocked@example.org>: no such user here');
    expect(await only(dsn(said))).toMatchObject({ kind: 'hard' });
  });
});
