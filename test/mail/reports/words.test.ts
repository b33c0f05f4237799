// A server's own words, made fit to be shown as data.
import { expect, test } from 'vitest';
import { readReports } from '../../../src/mail/reports/read.ts';
import { SAID_CHARS, serverWords } from '../../../src/mail/reports/words.ts';
import { outcomeOfReply } from '../../../src/mail/transport/reply.ts';
import { bytes, complaint, dsn } from './letters.ts';

test.each([
  ['550 5.1.1 No such user\r\n', '550 5.1.1 No such user'],
  [
    '550-5.1.1 The email account that you tried to reach does\r\n550-5.1.1 not exist.\r\n550 5.1.1 See https://x.example',
    '550 5.1.1 The email account that you tried to reach does not exist. See https://x.example',
  ],
  ['550-Blocked\r\n550 by policy', '550 Blocked by policy'],
  ['  <b>no</b>  such \t user\u0000\u001b[31m ', '<b>no</b> such user [31m'],
  ['550 \u202egnp.exe\u2066 x\u200b', '550 gnp.exe x'],
  ['550 \ud800 half', '550 \ufffd half'],
  ['550', '550'],
  [' \r\n \u0000 ', null],
])('%j', (reply, said) => {
  expect(serverWords(reply)).toBe(said);
});

test('no more of them than is kept, counted in characters and never cut within one', () => {
  const said = serverWords(`550 ${'😀'.repeat(2_000)}`);
  expect(Array.from(said ?? '')).toHaveLength(SAID_CHARS);
  expect(said?.isWellFormed()).toBe(true);
  expect(said?.endsWith('…')).toBe(true);
});

test('a reply in our own session and a report by mail carry them', async () => {
  const reply = outcomeOfReply('550-5.1.1 <a@b.example>\r\n550 5.1.1 nobody', {
    peer: 'exchange',
    stage: 'rcpt',
  });
  expect(reply).toMatchObject({ said: '550 5.1.1 <@> nobody' });
  const block =
    'Final-Recipient: rfc822; a@b.example\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 no such user\n';
  const { reports } = await readReports(bytes(dsn(block)));
  expect(reports[0]).toMatchObject({ said: '550 5.1.1 no such user' });
});

test('where a report quotes no server, it is what the report says of the address', async () => {
  const block = 'Final-Recipient: rfc822; a@b.example\nAction: failed\nStatus: 5.1.1\n';
  const { reports } = await readReports(bytes(dsn(block)));
  expect(reports[0]?.said ?? '').not.toBe('');
});

test('a complaint has no words of a server', async () => {
  const { reports } = await readReports(
    bytes(complaint('Feedback-Type: abuse\nUser-Agent: x/1\nVersion: 1')),
  );
  expect(reports[0]).toMatchObject({ kind: 'complaint', said: null });
});
