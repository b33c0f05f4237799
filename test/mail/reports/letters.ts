// Machine mail as various systems write it, put together by the tests of its reader.
import { readReports } from '../../../src/mail/reports/read.ts';
import type { ReadReport, Report } from '../../../src/mail/reports/report.ts';

type Part = { type: string; body: string; headers?: string };

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text.replace(/\r?\n/g, '\r\n'));

export const read = (text: string): Promise<ReadReport> => readReports(bytes(text));

/** The only report of a message that holds one. */
export async function only(text: string): Promise<Report> {
  const { reports } = await read(text);
  if (reports.length !== 1) throw new Error(`${reports.length} reports instead of one`);
  return reports[0] as Report;
}

/** A plain notice from a mail system, with the headers that such a system sets. */
export const notice = (body: string, headers = ''): string =>
  `Return-Path: <>\nFrom: Mail Delivery System <MAILER-DAEMON@relay.example.org>\nTo: sender@dunnock.example\n` +
  `Subject: Mail delivery failed: returning message to sender\n${headers}Content-Type: text/plain; charset=utf-8\n\n${body}`;

export const multipart = (
  top: string,
  parts: readonly Part[],
  kind = 'report; report-type=delivery-status',
): string =>
  `${top}MIME-Version: 1.0\nContent-Type: multipart/${kind}; boundary="=-cut"\n\n` +
  parts
    .map(({ type, body, headers = '' }) => `--=-cut\nContent-Type: ${type}\n${headers}\n${body}\n`)
    .join('') +
  '--=-cut--\n';

/** The header of machine mail from someone by name. */
export const from = (sender: string, subject: string, rest = ''): string =>
  `Return-Path: <>\nFrom: ${sender}\nTo: bounce+n81.x@dunnock.example\nSubject: ${subject}\n${rest}`;

/** Machine mail of one text part. */
export const plain = (sender: string, subject: string, body: string, rest = ''): string =>
  `${from(sender, subject, rest)}Content-Type: text/plain; charset=utf-8\n\n${body}`;

/** The part of RFC 3464, on its own. */
export const fields = (body: string, reporter = 'relay.example.org'): Part => ({
  type: 'message/delivery-status',
  body: `Reporting-MTA: dns;${reporter}\n\n${body}`,
});

const TOP =
  'Return-Path: <>\nFrom: MAILER-DAEMON@relay.example.org\nTo: bounce+n81.x@dunnock.example\n' +
  'Delivered-To: bounce+n81.x@dunnock.example\nSubject: Undelivered Mail Returned to Sender\nAuto-Submitted: auto-replied\n';

export const LETTER =
  'Message-ID: <letter-1@dunnock.example>\nFrom: sender@dunnock.example\nTo: ada@example.org\nSubject: A question\n';

/** A report of RFC 3464: prose, blocks, and the header of the letter. */
export const dsn = (blocks: string, prose = 'Your message could not be delivered.'): string =>
  multipart(TOP, [
    { type: 'text/plain', body: prose },
    { type: 'message/delivery-status', body: `Reporting-MTA: dns; relay.example.org\n\n${blocks}` },
    { type: 'text/rfc822-headers', body: LETTER },
  ]);

/** The block of one recipient. */
export const block = (
  action: string,
  status: string,
  diagnostic = '',
  recipient = 'ada@example.org',
): string =>
  `Final-Recipient: rfc822; ${recipient}\nAction: ${action}\n${status ? `Status: ${status}\n` : ''}` +
  (diagnostic ? `Diagnostic-Code: smtp; ${diagnostic}\n` : '');

export const complaint = (fields: string, letter = LETTER): string =>
  multipart(
    'From: feedback@provider.example\nTo: fbl@dunnock.example\nSubject: Fw: A question\n',
    [
      { type: 'text/plain', body: 'This is an email abuse report.' },
      { type: 'message/feedback-report', body: fields },
      { type: 'message/rfc822', body: `${letter}\nHello` },
    ],
    'report; report-type=feedback-report',
  );
