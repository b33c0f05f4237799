// What may be said at RCPT and condemns no address: it blames the sender, the letter or the list's rules, or it passes. The
// worst case each time: refused at RCPT, for good, under a code that says nothing.
import { describe, expect, test } from 'vitest';
import { judge } from '../../../src/mail/reports/judge.ts';
import type { Evidence } from '../../../src/mail/reports/judge.ts';

const refused = (diagnostic: string, more: Partial<Evidence> = {}): string =>
  judge({ action: 'failed', stated: '5.0.0', diagnostic, prose: '', filed: null, stage: 'rcpt', ...more })
    .kind;

test.each([
  '550 5.1.7 Invalid address',
  '501 5.1.7 Bad sender address syntax',
  '550 Sender verify failed',
  '550 Could not complete sender verify callout',
  '550 sender domain does not exist',
  '553 5.1.8 <sender@dunnock.example>... Domain of sender address sender@dunnock.example does not exist',
  '550 Cannot resolve your domain dunnock.example',
  '550 Your domain is not valid',
  '550 dunnock.example is not a valid domain',
  '550 unknown domain in MAIL FROM',
  '550 Invalid HELO, not a FQDN',
  '504 HELO is not a valid hostname',
  '550 192.0.2.7 is not a registered gateway',
  '550 mail.dunnock.example does not resolve to 192.0.2.7',
  '550 The sending host 192.0.2.7 was not found in DNS',
  '550 No reverse DNS entry for 192.0.2.7',
  '550 Reverse DNS lookup failed: host not found',
  '554 rDNS required',
  '550 Access denied...abc from 192.0.2.7',
  '550 5.7.1 Access denied',
  '554 Access denied',
  '554 Denied',
  '550 Rejected',
  '550 Rejected by recipient',
  '550 Blocked',
  '550 Blocked by recipient',
  '550 The recipient has blocked you',
  '550 ada@example.org does not accept mail from sender@dunnock.example',
  '550 This user does not accept mail from unknown senders',
  '550 Mailbox only accepts mail from known senders',
  '550 unknown senders are not accepted',
  '550 Unknown sender',
  '550 sender unknown',
  '550 Sender not recognised',
  '550 Mail from unknown sender address refused',
  '550 Your address is not known here',
  '550 You are not a known correspondent',
  '550 user has blocked mail from this address',
  '550 not on the whitelist of ada@example.org',
  '550 Sender is on user denylist',
  '550 Too many unknown users',
  '550 Too many invalid recipients from your host',
  '550 Directory harvest attack detected',
  '550 Possible spammer: unknown users tried from your IP',
  '554 5.7.1 Spam detected by content scanner',
  '550 Message contains invalid header',
  '550 Invalid Message-ID',
  '550 Invalid From header',
  '550 Missing valid From address',
  '550 Message refused by DMARC policy',
  '550 DKIM signature not valid',
  '550 SPF record not found for dunnock.example',
  '550 SPF check failed: no such domain',
  '550 SPF permerror: invalid domain found',
  '550 Bad DKIM: key not found',
  '550 Sender domain has no MX record',
  '550 Sender has no A, AAAA, or MX DNS records. mail.dunnock.example',
  '550 no MX for sender domain',
  '550 your mail server dunnock.example does not exist in DNS',
  '550 DNSBL:RBL 521 192.0.2.7 is listed',
  '550 listed at rbl.example',
  '550 JunkMail rejected',
  '550 This message was classified as SPAM and may not be delivered',
  '550 Suspected spam, mailbox protected',
  '550 bulk mail not accepted',
  '550 Message filtered. Refer to the Troubleshooting page at https://help.example/',
  '550 Mail content denied. https://service.example/',
  '550 Error: content rejected https://help.example',
  '550 Ip frequency limited',
  '550 Connection frequency limited',
  '550 Domain frequency limited',
  '550 Suspected bounce attacks',
  '550 User frequency limited',
  '553 Requested action not taken: NO SUBJECT header',
  '554 DT:SPM mx, message rejected',
  '550 5.7.1 mailbox of sender does not exist',
  '550 envelope sender not found',
  '550 Return path does not exist',
  '550 Return address not valid',
  '550 backscatter: null sender is not accepted',
  '550 Invalid return path',
  '550 Reply address does not exist',
  '550 from address does not exist',
  '550 MAIL FROM address not found',
  '550 The address in MAIL FROM is not known',
  '550 authentication required',
  '550 user not authenticated',
  '550 user unknown: authenticate first',
  '550 relaying denied: unknown user',
  '550 not local host example.org, not a gateway',
  '550 we do not relay',
  '550 you must check for new mail before sending mail',
  '550 mailing to remote addresses not supported',
  '550 Protocol error: unknown command',
  '500 unrecognized command',
  '502 command not implemented',
  '503 bad sequence of commands',
  '503 valid RCPT command must precede DATA',
  '501 Syntax error in parameters or arguments',
  '555 Unsupported option: SIZE',
  '552 message exceeds maximum size',
  '550 Attachment type not accepted',
  '550 executable attachment not accepted',
  '550 Virus found',
  '550 file type not known or not allowed',
  '550 The message could not be scanned',
  '550 encrypted messages not accepted',
  '550 Reject: invalid sender signature',
  '550 Greylisted, try again later',
  '550 temporarily unavailable',
  '550 mailbox temporarily unavailable',
  '550 user is temporarily unavailable',
  '550 account temporarily not available',
  '550 mailbox is currently unavailable, try later',
  '550 mailbox full',
  '550 quota',
  '552 over quota',
  "550 Recipient's mailbox is full, message returned to sender",
  '550 mailbox of the recipient has no space left',
  '550 account is suspended',
  '550 user account disabled',
  '550 account locked',
  '550 account expired',
  '550 inactive user',
  '550 dormant account',
  '550 mailbox frozen',
  '550 mailbox disabled',
  '550 Service unavailable',
  '550 system error',
  '554 internal error',
  '550 LDAP lookup failed: user not found due to timeout',
  '550 Temporary DNS failure: host not found, try again',
  '550 loop detected',
  '554 too many hops',
  '550 Message expired',
  '550 out of disk space',
  '550 Delivery restricted',
  '550 Delivery not authorised',
  '550 recipient restricted: only internal senders',
  '550 You are not allowed to send to this group',
  '550 Not allowed to send to this address',
  '550 posting to the list is for members only',
  '550 This list is closed, you are not a member',
  '550 permission denied for user',
  '550 Moderated list; not a member',
  '550 address not allowed',
  '550 domain not allowed',
  '550 sender domain blocked',
  '550 this domain is blocked',
  '550 email address on blocklist',
  '550 Email blocked',
  '550 Message blocked',
  '550 Your message was rejected',
  '550 Mail rejected by rule',
  '550 Rule imposed mailbox access for ada@example.org refused',
  '550 message declined',
  '554 Transaction failed',
  '550 See https://errors.example/550',
  '550 certificate not valid',
  '550 STARTTLS required',
])('no address is struck off for %j', (diagnostic) => {
  expect(refused(diagnostic)).not.toBe('hard');
  expect(refused(diagnostic, { stated: '5.5.0' })).not.toBe('hard');
  expect(refused(diagnostic, { stated: null, stage: null })).not.toBe('hard');
});

describe('words that name no cause', () => {
  test.each([
    ['hard', '5.1.1', 'rcpt', '550 5.1.1 Nee'],
    ['hard', '5.0.0', null, ''],
    ['hard', '5.0.0', null, '550 <ada@example.org>'],
    ['hard', '5.0.0', 'rcpt', '550 Nee'],
    ['soft', '5.0.0', 'rcpt', '554 Nee'],
    ['soft', '5.0.0', null, '550 Nee'],
    ['policy', '5.0.0', 'data', '550 Nee'],
    ['policy', '5.0.0', 'mail', '550 Nee'],
    ['policy', '5.0.0', 'connect', '554 Nee'],
    ['policy', '5.0.0', 'rcpt', '550 Nee, 192.0.2.7'],
    ['policy', '5.0.0', 'rcpt', '550 Nee: https://help.example/7'],
    ['soft', null, null, '550 Nee'],
  ] as const)('are %s under %s, refused at %s: %j', (kind, stated, stage, diagnostic) => {
    expect(refused(diagnostic, { stated, stage })).toBe(kind);
  });
});

describe('a code speaks of its subject (RFC 3463), also where nobody registered it', () => {
  test.each([
    ['soft', '5.3.9'],
    ['soft', '5.4.318'],
    ['soft', '5.5.2'],
    ['policy', '5.6.19'],
    ['policy', '5.7.999'],
    ['hard', '5.1.351'],
    ['policy', '5.1.7'],
    ['policy', '5.1.8'],
  ])('%s: %s', (kind, stated) => {
    expect(refused('', { stated, stage: null })).toBe(kind);
  });

  test("an address that is bad under a code for senders is the sender's", () => {
    expect(refused('550 5.1.7 Invalid address', { stated: '5.1.7' })).toBe('policy');
    expect(refused('550 5.1.1 Invalid address', { stated: '5.1.1' })).toBe('hard');
  });
});

describe('what the receiver called temporary is soft', () => {
  test.each([
    ['5.0.0', '450 <ada@example.org>: unknown user'],
    ['5.1.1', '450 4.2.1 <ada@example.org>: unknown user'],
    ['4.0.0', '550 <ada@example.org>: unknown user'],
  ])('also when the reporter gave up under %s: %s', (stated, diagnostic) => {
    expect(refused(diagnostic, { stated })).toBe('soft');
  });
});

test('a domain that a receiver does not find is hardly its own', () => {
  expect(refused('550 unknown domain')).toBe('policy');
  expect(refused('550 unknown domain of the recipient')).toBe('hard');
  expect(refused('550 5.1.2 unknown domain', { stated: '5.1.2' })).toBe('hard');
  expect(refused('unknown domain', { stage: null })).toBe('hard');
});
