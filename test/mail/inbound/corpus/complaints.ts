// Complaints, as feedback loops report them (RFC 5965).
import { complaint } from '../../reports/letters.ts';
import { bytes } from './case.ts';
import type { Case, Expected } from './case.ts';

const ADA = 'ada@example.org';

const complained = (
  name: string,
  fields: string,
  recipient: string | null,
  kind: Expected['kind'] = 'complaint',
): Case => ({
  name: `complaint: ${name}`,
  raw: bytes(complaint(fields)),
  expected: {
    kind,
    reading: 'unread',
    reports: [{ kind: kind === 'receipt' ? 'delivered' : 'complaint', recipient }],
  },
});

export const complaints: readonly Case[] = [
  complained(
    'abuse',
    'Feedback-Type: abuse\nUser-Agent: SomeGenerator/1.0\nVersion: 1\nOriginal-Rcpt-To: <ada@example.org>\n',
    ADA,
  ),
  complained(
    'without brackets',
    'Feedback-Type: abuse\nVersion: 0.1\nOriginal-Rcpt-To: ada@example.org\n',
    ADA,
  ),
  complained('the address taken out', 'Feedback-Type: abuse\nVersion: 1\n', null),
  complained('fraud', 'Feedback-Type: fraud\nOriginal-Rcpt-To: ada@example.org\n', ADA),
  complained('virus', 'Feedback-Type: virus\nOriginal-Rcpt-To: ada@example.org\n', ADA),
  complained('other', 'Feedback-Type: other\nOriginal-Rcpt-To: ada@example.org\n', ADA),
  complained('opted out', 'Feedback-Type: opt-out\nRemoval-Recipient: ada@example.org\n', ADA),
  complained('in capitals', 'FEEDBACK-TYPE: ABUSE\nORIGINAL-RCPT-TO: ada@example.org\n', ADA),
  complained('of authentication', 'Feedback-Type: auth-failure\nOriginal-Rcpt-To: ada@example.org\n', ADA),
  complained(
    'that it is none',
    'Feedback-Type: not-spam\nOriginal-Rcpt-To: ada@example.org\n',
    ADA,
    'receipt',
  ),
];
