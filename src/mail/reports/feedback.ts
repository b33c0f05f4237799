// A complaint: the feedback report of RFC 5965, and the form used by providers that forward only the letter.
import { hostOf, recipientOf } from './addresses.ts';
import { first, readBlocks, readHeader } from './fields.ts';
import type { Fields } from './fields.ts';
import { RECIPIENTS } from './limits.ts';
import type { Report } from './report.ts';

/** One report for each recipient named; one without a recipient where the provider took the address out. */
export function readFeedback(text: string): Report[] {
  const { blocks } = readBlocks(text, 4);
  const fields = new Map<string, string[]>(blocks.flatMap((block) => [...block]));
  const type =
    /^\s*([a-z-]{1,40})/i.exec(first(fields, 'feedback-type') ?? '')?.[1]?.toLowerCase() ?? 'other';
  const host = hostOf(first(fields, 'reporting-mta')) ?? hostOf(first(fields, 'source-ip'));
  return recipientsOf(fields).map((recipient) => complaint(recipient, type, host));
}

function recipientsOf(fields: Fields): (string | null)[] {
  const named = [...(fields.get('original-rcpt-to') ?? []), ...(fields.get('removal-recipient') ?? [])]
    .map(recipientOf)
    .filter((each) => each !== null);
  const distinct = [...new Set(named)].slice(0, RECIPIENTS);
  return distinct.length > 0 ? distinct : [null];
}

/** Microsoft's programme forwards the letter under a header of its own, with no report about it. */
export function readForwardedComplaint(returned: readonly string[]): Report[] {
  for (const text of returned) {
    const header = readHeader(text);
    if (header.has('x-hmxmroriginalrecipient')) {
      return [complaint(recipientOf(first(header, 'x-hmxmroriginalrecipient')), 'abuse', null)];
    }
  }
  return [];
}

/** That a person says a letter was no spam (RFC 6430) is the contrary of a complaint. */
const complaint = (recipient: string | null, type: string, host: string | null): Report => ({
  kind: type === 'not-spam' ? 'delivered' : 'complaint',
  recipient,
  original_recipient: null,
  action: null,
  status: null,
  smtp_code: null,
  diagnostic_class: null,
  said: null,
  feedback_type: type,
  original_message_id: null,
  host,
});
