// Complaints: every one is found, and a machine's word about a letter is not taken for a person's.
import { describe, expect, test } from 'vitest';
import { isPersonsComplaint } from '../../../src/mail/reports/report.ts';
import { complaint, LETTER, multipart, only, read } from './letters.ts';

describe('complaints', () => {
  test('a feedback report gives type, recipient and the Message-ID of its third part', async () => {
    const found = await read(
      complaint('Feedback-Type: abuse\nVersion: 1\nOriginal-Rcpt-To: <ada@example.org>\n'),
    );
    expect(found).toMatchObject({ kind: 'complaint', original_message_ids: ['letter-1@dunnock.example'] });
    expect(found.reports).toMatchObject([
      { kind: 'complaint', feedback_type: 'abuse', recipient: 'ada@example.org' },
    ]);
  });

  test('a redacted address leaves the Message-ID and the address the report came to', async () => {
    const found = await read(complaint('Feedback-Type: abuse\nVersion: 1\nOriginal-Rcpt-To: redacted\n'));
    expect(found.reports).toMatchObject([
      { recipient: null, original_message_id: 'letter-1@dunnock.example' },
    ]);
    expect(found.addressed_to).toEqual(['fbl@dunnock.example']);
  });

  test('several recipients are several complaints', async () => {
    const fields =
      'Feedback-Type: abuse\nOriginal-Rcpt-To: ada@example.org\nOriginal-Rcpt-To: ben@example.org\n';
    expect((await read(complaint(fields))).reports.map((each) => each.recipient)).toEqual([
      'ada@example.org',
      'ben@example.org',
    ]);
  });

  test('a complaint whose letter was taken out whole is a complaint', async () => {
    expect(await only(complaint('Feedback-Type: fraud\n', 'REDACTED'))).toMatchObject({
      kind: 'complaint',
      feedback_type: 'fraud',
      original_message_id: null,
    });
  });

  test('a feedback report without its type is a complaint of type other', async () => {
    expect(await only(complaint('Version: 1\n'))).toMatchObject({
      kind: 'complaint',
      feedback_type: 'other',
    });
  });

  test('a letter forwarded by a programme that sends no report is a complaint', async () => {
    const text = multipart(
      'From: staff@provider.example\nSubject: complaint about message from 192.0.2.7\n',
      [{ type: 'message/rfc822', body: `X-HmXmrOriginalRecipient: ada@example.org\n${LETTER}\nHello` }],
      'mixed',
    );
    expect(await only(text)).toMatchObject({ kind: 'complaint', recipient: 'ada@example.org' });
  });

  test('that a letter is no spam is no complaint', async () => {
    const found = await read(complaint('Feedback-Type: not-spam\nOriginal-Rcpt-To: ada@example.org\n'));
    expect(found.kind).toBe('receipt');
    expect(found.reports).toMatchObject([{ kind: 'delivered', feedback_type: 'not-spam' }]);
  });

  test.each([
    ['abuse', true],
    ['opt-out', true],
    ['auth-failure', false],
  ])('%s is a complaint that a person made: %s', async (type, byPerson) => {
    const report = await only(complaint(`Feedback-Type: ${type}\nOriginal-Rcpt-To: ada@example.org\n`));
    expect(report.kind).toBe('complaint');
    expect(isPersonsComplaint(report)).toBe(byPerson);
  });
});

describe('complaints of programmes', () => {
  const top = 'From: feedback@provider.example\nTo: bounce+n81.x@dunnock.example\nSubject: complaint\n';
  const said = { type: 'text/plain', body: 'This is an email abuse report.' };
  const feedback = (body: string): { type: string; body: string } => ({
    type: 'message/feedback-report',
    body: `Feedback-Type: abuse\nVersion: 1\nUser-Agent: Loop/1.0\n${body}`,
  });
  const report = 'report; report-type=feedback-report';

  test.each([
    ['abuse', 'complaint', true],
    ['fraud', 'complaint', true],
    ['opt-out', 'complaint', true],
    ['other', 'complaint', true],
    ['virus', 'complaint', false],
    ['auth-failure', 'complaint', false],
    ['not-spam', 'delivered', false],
  ])('a report of type %s counts as %s, made by a person: %s', async (type, kind, byPerson) => {
    const found = await only(
      complaint(
        `Feedback-Type: ${type}\nVersion: 1\nOriginal-Mail-From: <bounce+n81.x@dunnock.example>\nOriginal-Rcpt-To: <ada@example.org>\n`,
      ),
    );
    expect(found).toMatchObject({ kind, feedback_type: type, recipient: 'ada@example.org' });
    expect(isPersonsComplaint(found)).toBe(byPerson);
  });

  test('a report without the letter leaves the address it came to', async () => {
    expect(await read(multipart(top, [said, feedback('')], report))).toMatchObject({
      kind: 'complaint',
      reports: [{ recipient: null, original_message_id: null }],
      addressed_to: ['bounce+n81.x@dunnock.example'],
    });
  });

  test('a report whose letter is its header alone', async () => {
    const text = multipart(top, [said, feedback(''), { type: 'text/rfc822-headers', body: LETTER }], report);
    expect((await read(text)).original_message_ids).toEqual(['letter-1@dunnock.example']);
  });

  test('a report that is called none, by its part', async () => {
    const text = multipart(top, [said, feedback('Original-Rcpt-To: ada@example.org\n')], 'mixed');
    expect(await only(text)).toMatchObject({ kind: 'complaint', recipient: 'ada@example.org' });
  });

  test("a complaint about a letter that is itself a bounce's is a complaint", async () => {
    const inner = `${LETTER}\n550 5.1.1 <ada@example.org>: User unknown\n`;
    const text = multipart(top, [said, feedback(''), { type: 'message/rfc822', body: inner }], report);
    expect((await read(text)).reports).toMatchObject([{ kind: 'complaint' }]);
  });
});
