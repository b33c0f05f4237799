// Mail is read beside the process: nothing waits for it, and what cannot be read in time stops no one else's.
import { expect, test } from 'vitest';
import { readApart, readTyped } from '../../../src/mail/inbound/apart.ts';

const HEAD =
  'From: Dana Roe <dana@example.com>\r\nTo: ada@desk.example\r\nSubject: Your letter\r\nMessage-ID: <1@example.com>\r\n';
const mail = (type: string, body: string): Buffer =>
  Buffer.from(`${HEAD}Content-Type: ${type}\r\n\r\n${body}\r\n`);

/** Five megabytes of nothing but the beginnings of tags. */
const costly = mail('text/html', '<'.repeat(5_000_000));

test('whatever a mail costs to read, everything else goes on meanwhile', async () => {
  let rang = 0;
  const clock = setInterval(() => (rang += 1), 10);
  const looked = await readApart(costly, 'anything').finally(() => clearInterval(clock));
  expect(looked).toMatchObject({ kind: 'letter', mail: { subject: 'Your letter' } });
  expect(rang).toBeGreaterThan(4);
});

test('what is read beside the process is the same: words, files, and reports', async () => {
  const file = `--b\r\nContent-Type: text/plain\r\n\r\nHere it is.\r\n--b\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename=a.pdf\r\n\r\n${'%PDF '.repeat(20_000)}\r\n--b--`;
  const looked = await readApart(mail('multipart/mixed; boundary=b', file), 'anything');
  expect(looked).toMatchObject({ mail: { text: 'Here it is.', attachments: [{ filename: 'a.pdf' }] } });
  const status = `--b\r\nContent-Type: text/plain\r\n\r\n${'It failed. '.repeat(5_000)}\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example\r\n\r\nFinal-Recipient: rfc822; bo@example.com\r\nAction: failed\r\nStatus: 5.1.1\r\n--b--`;
  const report = mail('multipart/report; report-type=delivery-status; boundary=b', status);
  expect(await readApart(report, 'anything')).toMatchObject({ kind: 'report', report: { kind: 'bounce' } });
  expect(await readApart(report, 'letter')).toMatchObject({ kind: 'letter' });
});

test('a mail that takes too long is read by its header and first words, and by no rule', async () => {
  const words = `Unsubscribe\r\n\r\n${'I would like to know more. '.repeat(100_000)}`;
  const looked = await readApart(mail('text/plain', words), 'anything', 0);
  expect(looked).toMatchObject({
    kind: 'letter',
    mail: {
      subject: 'Your letter',
      from: { address: 'dana@example.com' },
      message_id: '1@example.com',
      reading: { reading: 'unread' },
      cut: true,
    },
  });
  expect(looked.kind === 'letter' && looked.mail.text).toMatch(/^Unsubscribe\n\nI would like/);
  const next = mail('text/plain', 'Unsubscribe');
  expect(await readApart(next, 'anything')).toMatchObject({ mail: { reading: { reading: 'unsubscribe' } } });
});

test('what is typed while too much else is read is read by no rule', async () => {
  const read = await Promise.all(Array.from({ length: 60 }, () => readTyped('Unsubscribe')));
  const readings = read.map(({ reading }) => reading);
  expect(readings.filter((each) => each === 'unsubscribe').length).toBeGreaterThan(30);
  expect(readings.at(-1)).toBe('unread');
});
