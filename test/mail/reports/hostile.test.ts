// Any bytes: never thrown over, and no more work than the limits allow.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MESSAGE_BYTES, RECIPIENTS } from '../../../src/mail/reports/limits.ts';
import { judgeReply } from '../../../src/mail/reports/judge.ts';
import { readReports } from '../../../src/mail/reports/read.ts';
import { block, bytes, complaint, dsn, LETTER, notice, read } from './letters.ts';

const KINDS = ['hard', 'soft', 'policy', 'complaint', 'delivered', 'automatic'];
const samples = [
  dsn(block('failed', '5.1.1', '550 5.1.1 <ada@example.org>: User unknown')),
  notice(
    `<ada@example.org>:\n550 mailbox full\n\n--- Original message\n\n${LETTER}`,
    'X-Failed-Recipients: ada@example.org\n',
  ),
  complaint('Feedback-Type: abuse\nOriginal-Rcpt-To: ada@example.org\n'),
];

async function holds(raw: Uint8Array): Promise<void> {
  const found = await readReports(raw);
  expect(found.reports.length).toBeLessThanOrEqual(RECIPIENTS);
  for (const { kind, recipient } of found.reports) {
    expect(KINDS).toContain(kind);
    expect(recipient === null || (recipient.includes('@') && recipient.length <= 330)).toBe(true);
  }
}

/** A sample with stretches cut out, doubled, or overwritten with noise. */
const damaged = fc
  .tuple(
    fc.constantFrom(...samples),
    fc.array(fc.tuple(fc.nat(4000), fc.nat(60), fc.uint8Array({ maxLength: 60 })), { maxLength: 6 }),
  )
  .map(([sample, wounds]) => {
    let raw = [...bytes(sample)];
    for (const [at, length, noise] of wounds)
      raw = [...raw.slice(0, at), ...noise, ...raw.slice(at + length)];
    return Uint8Array.from(raw);
  });

describe('any bytes', () => {
  test('noise is read without a throw', () =>
    fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 2000 }), holds), { numRuns: 300 }));

  test('damaged reports are read without a throw', () =>
    fc.assert(fc.asyncProperty(damaged, holds), { numRuns: 400 }));

  test('any text under any header is read without a throw', () =>
    fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary', maxLength: 400 }),
        fc.string({ maxLength: 40 }),
        (body, name) => holds(bytes(notice(body, `${name}: ${name}\n`))),
      ),
      { numRuns: 200 },
    ));

  test('any reply of a receiver is judged', () =>
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (reply) => {
        expect(['hard', 'soft', 'policy', 'delivered']).toContain(judgeReply(reply, 'rcpt').kind);
      }),
    ));

  test('nothing at all is none', async () => {
    expect(await readReports(new Uint8Array())).toMatchObject({ kind: 'none', reports: [] });
  });
});

describe('large and deep', () => {
  test('a hundred thousand recipients: the first thousand are read, and it is said that there are more', async () => {
    const blocks = Array.from({ length: 100_000 }, (_, at) =>
      block('failed', '5.1.1', '', `p${at}@example.org`),
    ).join('\n');
    const found = await read(dsn(blocks));
    expect(found.truncated).toBe(true);
    expect(found.reports).toHaveLength(RECIPIENTS);
  });

  test('as many in one header, in prose and in a complaint', async () => {
    const list = Array.from({ length: 100_000 }, (_, at) => `p${at}@example.org`);
    for (const text of [
      notice('Sorry.', `X-Failed-Recipients: ${list.slice(0, 20_000).join(',\n ')}\n`),
      notice(list.join('\n')),
      complaint(list.map((each) => `Original-Rcpt-To: ${each}`).join('\n')),
    ]) {
      expect((await read(text)).reports.length).toBeLessThanOrEqual(RECIPIENTS);
    }
  });

  test('multiparts five hundred deep end in one report, not in a throw', async () => {
    let inner = 'Content-Type: text/plain\n\n<ada@example.org>: 550 5.1.1 no such user\n';
    for (let depth = 0; depth < 500; depth++) {
      inner = `Content-Type: multipart/mixed; boundary="b${depth}"\n\n--b${depth}\n${inner}\n--b${depth}--\n`;
    }
    const found = await read(
      `Return-Path: <>\nFrom: MAILER-DAEMON@relay.example.org\nSubject: Undelivered Mail\n${inner}`,
    );
    expect(found).toMatchObject({ kind: 'bounce', truncated: true });
  });

  test('the fields are read before a letter of ten megabytes, and the letter is left', async () => {
    const text = dsn(block('failed', '5.1.1')).replace(LETTER, `${LETTER}\n${'x'.repeat(5 * MESSAGE_BYTES)}`);
    expect(await read(text)).toMatchObject({
      kind: 'bounce',
      truncated: true,
      original_message_ids: ['letter-1@dunnock.example'],
    });
  });

  test.each([
    ['spaces', ' '.repeat(1_000_000)],
    ['at signs', '@'.repeat(500_000)],
    ['angles', '<'.repeat(500_000)],
    ['dots and digits', '5.5.'.repeat(200_000)],
    ['one long word', 'a'.repeat(1_000_000)],
    ['unclosed tags', '<style '.repeat(100_000)],
    ['words of causes', 'user mailbox account '.repeat(50_000)],
    ['dashes', '-'.repeat(500_000)],
    ['replies', '550 '.repeat(200_000)],
    ['folds', 'a:\n '.repeat(200_000)],
  ])('a message of %s is read to its end', async (_, filler) => {
    for (const text of [
      notice(filler),
      dsn(block('failed', '5.0.0', filler)),
      complaint(`Feedback-Type: ${filler}`),
      notice('', `X-Failed-Recipients: ${filler.slice(0, 100_000).replaceAll('\n', '')}\n`),
      notice(filler).replace('text/plain', 'text/html'),
    ]) {
      await holds(bytes(text));
    }
  });
});
