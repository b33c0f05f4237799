// Bounces and delays: as the standard has them, and in the shapes of systems that have their own. What each means
// is judged by `readReports`, which is measured on them here.
import { block, dsn, LETTER, multipart, notice } from '../../reports/letters.ts';
import { bytes } from './case.ts';
import type { Case } from './case.ts';

type Sort = 'hard' | 'soft' | 'policy';

const ADA = 'ada@example.org';

const bounce = (
  name: string,
  text: string,
  kind: Sort | readonly Sort[],
  recipient: string | null = ADA,
): Case => ({
  name: `bounce: ${name}`,
  raw: bytes(text),
  expected: {
    kind: 'bounce',
    reading: 'unread',
    reports: [kind].flat().map((each) => ({ kind: each, recipient })),
  },
});

const STANDARD: readonly (readonly [
  name: string,
  action: string,
  status: string,
  diagnostic: string,
  kind: Sort,
])[] = [
  [
    'no such user',
    'failed',
    '5.1.1',
    '550 5.1.1 <ada@example.org>: Recipient address rejected: User unknown',
    'hard',
  ],
  [
    'Exchange Online knows nobody',
    'failed',
    '5.1.10',
    '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
    'hard',
  ],
  ['no such domain', 'failed', '5.1.2', '550 5.1.2 Host unknown', 'hard'],
  ['a null MX', 'failed', '5.1.10', '556 5.1.10 Domain does not accept mail', 'hard'],
  ['moved away', 'failed', '5.1.6', '551 5.1.6 User has moved', 'hard'],
  [
    'Gmail knows nobody',
    'failed',
    '5.1.1',
    '550-5.1.1 The email account that you tried to reach does not exist.',
    'hard',
  ],
  ['full', 'failed', '5.2.2', '552 5.2.2 Mailbox full', 'soft'],
  ['disabled', 'failed', '5.2.1', '550 5.2.1 The email account that you tried to reach is disabled.', 'soft'],
  ['delayed', 'delayed', '4.4.1', 'connect to mx.example.org[192.0.2.1]:25: Connection timed out', 'soft'],
  [
    'delayed by greylisting',
    'delayed',
    '4.7.1',
    '451 4.7.1 Greylisting in action, please come back later',
    'soft',
  ],
  ['given up', 'failed', '4.4.7', 'delivery time expired', 'soft'],
  ['no status', 'failed', '', '', 'soft'],
  [
    'a list of blocked hosts',
    'failed',
    '5.7.1',
    '554 5.7.1 Service unavailable; Client host [192.0.2.9] blocked using zen.spamhaus.org',
    'policy',
  ],
  [
    'DMARC',
    'failed',
    '5.7.26',
    '550-5.7.26 This mail has been blocked because the sender is unauthenticated. DMARC',
    'policy',
  ],
  ['spam', 'failed', '5.7.1', '550 5.7.1 Message rejected as spam by Content Filtering.', 'policy'],
  ['too large', 'failed', '5.3.4', '552 5.3.4 Message size exceeds fixed limit', 'policy'],
  ['a rate', 'failed', '5.7.28', '550 5.7.28 unusual rate of unsolicited mail', 'policy'],
  ['no relaying', 'failed', '5.7.1', '554 5.7.1 <ada@example.org>: Relay access denied', 'policy'],
];

const QMAIL =
  "Hi. This is the qmail-send program at relay.example.org.\nI'm afraid I wasn't able to deliver your message to the following addresses.\nThis is a permanent error; I've given up. Sorry it didn't work out.\n\n";
const COPY = `\n--- Below this line is a copy of the message.\n\nReturn-Path: <nora@dunnock.example>\n${LETTER}\nHello\n`;
const EXIM =
  'This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of its\nrecipients. This is a permanent error. The following address(es) failed:\n\n';

const OWN_SHAPES: readonly (readonly [name: string, text: string, kind: Sort])[] = [
  [
    'qmail',
    notice(
      `${QMAIL}<ada@example.org>:\n192.0.2.1 does not like recipient.\nRemote host said: 550 5.1.1 User unknown\nGiving up on 192.0.2.1.\n${COPY}`,
    ),
    'hard',
  ],
  [
    'qmail, full',
    notice(`${QMAIL}<ada@example.org>:\nRemote host said: 552 5.2.2 mailbox full\n${COPY}`),
    'soft',
  ],
  [
    'qmail, no host',
    notice(
      `${QMAIL}<ada@example.org>:\nSorry, I couldn't find any host named example.org. (#5.1.2)\n${COPY}`,
    ),
    'hard',
  ],
  [
    'Exim',
    notice(
      `${EXIM}  ada@example.org\n    host mx.example.org [192.0.2.1]\n    SMTP error from remote mail server after RCPT TO:<ada@example.org>:\n    550 5.1.1 User unknown\n\n------ This is a copy of the message, including all the headers. ------\n\n${LETTER}`,
      'X-Failed-Recipients: ada@example.org\n',
    ),
    'hard',
  ],
  [
    'Exim, no route',
    notice(`${EXIM}  ada@example.org\n    Unrouteable address\n`, 'X-Failed-Recipients: ada@example.org\n'),
    'hard',
  ],
  [
    'Exim, full',
    notice(
      `${EXIM}  ada@example.org\n    mailbox is full: retry timeout exceeded\n`,
      'X-Failed-Recipients: ada@example.org\n',
    ),
    'soft',
  ],
  [
    'Exim, spam',
    notice(
      `${EXIM}  ada@example.org\n    host mx.example.org [192.0.2.1]\n    SMTP error from remote mail server after end of data:\n    550 5.7.1 This message looks like spam\n`,
      'X-Failed-Recipients: ada@example.org\n',
    ),
    'policy',
  ],
  [
    'Postfix without its parts',
    notice(
      "This is the mail system at host relay.example.org.\n\nI'm sorry to have to inform you that your message could not\nbe delivered to one or more recipients.\n\n<ada@example.org>: host mx.example.org[192.0.2.1] said: 550 5.1.1 <ada@example.org>:\n    Recipient address rejected: User unknown (in reply to RCPT TO command)\n",
    ),
    'hard',
  ],
  [
    'Postfix, nobody answers',
    notice(
      'This is the mail system at host relay.example.org.\n\n<ada@example.org>: connect to mx.example.org[192.0.2.1]:25: Connection refused\n',
    ),
    'soft',
  ],
  [
    'sendmail',
    notice(
      'The original message was received at Wed, 3 Dec 2025\n\n   ----- The following addresses had permanent fatal errors -----\n<ada@example.org>\n    (reason: 550 5.1.1 <ada@example.org>... User unknown)\n\n   ----- Transcript of session follows -----\n... while talking to mx.example.org.:\n>>> RCPT To:<ada@example.org>\n<<< 550 5.1.1 <ada@example.org>... User unknown\n550 5.1.1 <ada@example.org>... User unknown\n',
    ),
    'hard',
  ],
  [
    'Gmail in prose',
    notice(
      "Your message wasn't delivered to ada@example.org because the address couldn't be found, or is unable to receive mail.\n\nThe response from the remote server was:\n\n550 5.1.1 <ada@example.org>: User unknown\n",
      'X-Failed-Recipients: ada@example.org\n',
    ),
    'hard',
  ],
  [
    'Gmail, its parts',
    multipart(
      'Return-Path: <>\nFrom: Mail Delivery Subsystem <mailer-daemon@googlemail.com>\nTo: nora@dunnock.example\nAuto-Submitted: auto-replied\nSubject: Delivery Status Notification (Failure)\nX-Failed-Recipients: ada@example.org\n',
      [
        { type: 'text/plain', body: 'Address not found' },
        {
          type: 'message/delivery-status',
          body: `Reporting-MTA: dns; googlemail.com\n\n${block('failed', '5.1.1', '550-5.1.1 The email account that you tried to reach does not exist.')}`,
        },
        { type: 'message/rfc822', body: `${LETTER}\nHello` },
      ],
    ),
    'hard',
  ],
  [
    'Exchange',
    multipart(
      'Return-Path: <>\nFrom: postmaster@example.org\nTo: nora@dunnock.example\nSubject: Undeliverable: A question\n',
      [
        {
          type: 'text/plain',
          body: "Delivery has failed to these recipients or groups:\n\nada@example.org\nThe email address you entered couldn't be found.\n",
        },
        {
          type: 'message/delivery-status',
          body: `Reporting-MTA: dns;mx.example.org\n\n${block('failed', '5.1.10', '550 5.1.10 RESOLVER.ADR.ExRecipNotFound; not found')}`,
        },
        { type: 'message/rfc822', body: `${LETTER}\nHello` },
      ],
    ),
    'hard',
  ],
  [
    'Exchange, restricted',
    dsn(
      block(
        'failed',
        '5.7.133',
        '550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required',
      ),
    ),
    'policy',
  ],
  [
    // Filters hide behind these words: without a code that says so they condemn no address (judge.ts).
    'the words of filters',
    dsn(block('failed', '5.0.0', '550 User unknown.')),
    'policy',
  ],
  [
    'no type on the recipient',
    dsn('Final-Recipient: ada@example.org\nAction: failed\nStatus: 5.1.1\n'),
    'hard',
  ],
  [
    'recipient in brackets',
    dsn(
      'Final-Recipient: rfc822; <ada@example.org>\nAction: failed\nStatus: 5.1.1 (bad destination mailbox address)\n',
    ),
    'hard',
  ],
  [
    'fields in prose',
    notice('Delivery failed.\n\nFinal-Recipient: rfc822; ada@example.org\nAction: failed\nStatus: 5.1.1\n'),
    'hard',
  ],
  [
    'a delay told by Exim',
    notice(
      'This message was created automatically by mail delivery software.\nA message that you sent has not yet been delivered to one or more of its\nrecipients after more than 24 hours on the queue.\n\nThe address to which the message has not yet been delivered is:\n\n  ada@example.org\n    host mx.example.org [192.0.2.1]: 451 4.3.0 Temporary failure\n\nNo action is required on your part.\n',
      'X-Failed-Recipients: ada@example.org\n',
    ),
    'soft',
  ],
  [
    'in German',
    notice(
      'Die folgende Nachricht konnte nicht zugestellt werden:\n\n<ada@example.org>: 550 5.1.1 User unknown\n',
    ),
    'hard',
  ],
];

const groups: Case = bounce(
  'a mailbox that exists no more, in Spanish',
  notice('No se pudo entregar el mensaje.\n\n<ada@example.org>: 550 5.1.1 User unknown\n'),
  'hard',
);

const two: Case = bounce(
  'two recipients in one report',
  dsn(
    `${block('failed', '5.1.1', '550 5.1.1 User unknown')}\n${block('failed', '5.2.2', '552 5.2.2 Mailbox full')}`,
  ),
  ['hard', 'soft'],
);

const receipt: Case = {
  name: 'receipt: it was delivered',
  raw: bytes(dsn(block('delivered', '2.0.0', '250 OK'), 'Your message was delivered.')),
  expected: { kind: 'receipt', reading: 'unread', reports: [{ kind: 'delivered', recipient: ADA }] },
};

export const reports: readonly Case[] = [
  ...STANDARD.map(([name, action, status, diagnostic, kind]) =>
    bounce(name, dsn(block(action, status, diagnostic)), kind),
  ),
  ...OWN_SHAPES.map(([name, text, kind]) => bounce(name, text, kind)),
  groups,
  two,
  receipt,
];
