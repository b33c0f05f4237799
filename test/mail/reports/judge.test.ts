// What receivers say at RCPT, in forms that many of them share, and how it counts.
import { expect, test } from 'vitest';
import { judgeReply } from '../../../src/mail/reports/judge.ts';

test.each([
  ['hard', '550-5.1.1 The email account that you tried to reach does not exist. Please try 550 5.1.1 again'],
  ['hard', '550 5.5.0 Requested action not taken: mailbox unavailable'],
  ['hard', '550 5.4.1 Recipient address rejected: Access denied. AS(1) [host.example.org]'],
  ['hard', '550 No Such User Here'],
  ['hard', '511 sorry, no mailbox here by that name (#5.1.1)'],
  ['hard', '550 This account has been deleted'],
  ['hard', '550 5.4.310 DNS domain example.org does not exist'],
  ['hard', '550 5.1.6 Recipient no longer on server'],
  ['hard', '556 5.1.10 Domain does not accept mail (nullMX)'],
  ['hard', '550 Benutzer unbekannt'],
  ['hard', '550 unrouteable address'],
  ['soft', "452-4.2.2 The recipient's inbox is out of storage space"],
  ['soft', '554 5.2.2 mailbox full; QuotaExceededException'],
  ['soft', '550 5.2.1 This mailbox has been blocked due to inactivity'],
  ['soft', '552 Das Postfach ist voll'],
  ['soft', '451 4.7.1 Greylisting in action, please come back later'],
  ['soft', '421 4.7.28 an unusual rate of unsolicited mail originating from your IP address'],
  ['soft', '450 4.1.1 <ada@example.org>: User unknown'],
  ['soft', '554 5.4.14 Hop count exceeded - possible mail loop'],
  ['policy', '550 5.7.26 blocked because the sender is unauthenticated: SPF or DKIM must pass'],
  ['policy', '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using rbl.example'],
  ['policy', '550 5.7.708 Service unavailable. Access denied, traffic not accepted from this IP.'],
  ['policy', '550 5.1.8 Sender address rejected: Domain not found'],
  ['policy', "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)"],
  ['policy', '550 5.7.1 User unknown'],
  ['policy', '552 5.3.4 Message size exceeds fixed maximum message size'],
  ['policy', '550 High probability of spam'],
  ['policy', '550 message rejected'],
  ['hard', '550 5.1.1 <ada@example.org>: rejected'],
  ['hard', '550 5.1.2 Recipient domain does not exist in DNS'],
  ['hard', '550 5.1.2 Domain example.org does not resolve'],
  ['hard', "550 5.1.1 The mailbox couldn't be found. Check your address: it was not found"],
  ['policy', '550 Administrative prohibition'],
])('%s: %s', (kind, reply) => {
  expect(judgeReply(reply, 'rcpt').kind).toBe(kind);
});

test('the same words refused before RCPT are about the sender', () => {
  expect(judgeReply('550 unknown user', 'mail')).toMatchObject({
    kind: 'policy',
    diagnostic_class: 'sender_refused',
  });
});
