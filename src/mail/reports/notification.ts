// The notice that a sending service mails as JSON: the same bounce, complaint or delivery that it would post to a
// webhook.
import { recipientOf } from './addresses.ts';
import type { Draft } from './delivery-status.ts';
import { RECIPIENTS } from './limits.ts';
import { blankDraft } from './notice.ts';
import type { Action } from './report.ts';

export type Notification = {
  sort: 'bounce' | 'complaint' | 'delivery';
  drafts: Draft[];
  feedback_type: string | null;
  message_id: string | null;
};

type Json = Record<string, unknown>;

/** Null for any text that is no such notice. */
export function readNotification(text: string): Notification | null {
  const body = objectIn(text);
  const sort = asText(body?.['notificationType'] ?? body?.['eventType']).toLowerCase();
  if (body === null || (sort !== 'bounce' && sort !== 'complaint' && sort !== 'delivery')) return null;
  const event = asObject(body[sort]);
  const mail = asObject(body['mail']);
  return {
    sort,
    drafts: recipientsOf(event).map((each) => draftOf(each, sort, event)),
    feedback_type: sort === 'complaint' ? asText(event['complaintFeedbackType']) || 'abuse' : null,
    message_id: asText(asObject(mail['commonHeaders'])['messageId']).replace(/[<>\s]/g, '') || null,
  };
}

const LONGEST_OBJECT = 60_000;

/** The notice itself, or the envelope it was posted in; services wrap what is longer than a line of mail. */
function objectIn(text: string): Json | null {
  const body = text.trim();
  if (!body.startsWith('{')) return null;
  const line = body
    .split('\n')
    .map((each) => each.trim())
    .find((each) => each.startsWith('{') && each.endsWith('}') && each.length > 3);
  const whole =
    parsed(line ?? '') ?? parsed(body.slice(0, body.lastIndexOf('}') + 1).replace(/\r?\n ?/g, ''));
  return typeof whole?.['Message'] === 'string' ? parsed(whole['Message']) : whole;
}

function parsed(text: string): Json | null {
  if (text === '' || text.length > LONGEST_OBJECT) return null;
  try {
    return asObject(JSON.parse(text));
  } catch {
    return null; // only looks like an object: an ordinary letter
  }
}

const asObject = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {};
const asText = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 1000) : '');

function recipientsOf(event: Json): unknown[] {
  const list = event['bouncedRecipients'] ?? event['complainedRecipients'] ?? event['recipients'];
  return Array.isArray(list) ? list.slice(0, RECIPIENTS) : [];
}

function draftOf(each: unknown, sort: string, event: Json): Draft {
  const fields = asObject(each);
  return {
    ...blankDraft(recipientOf(typeof each === 'string' ? each : asText(fields['emailAddress']))),
    action: sort === 'delivery' ? 'delivered' : ((asText(fields['action']) || null) as Action | null),
    stated:
      /^[245]\.\d{1,3}\.\d{1,3}$/.exec(asText(fields['status']))?.[0] ??
      (sort === 'delivery' ? '2.0.0' : null),
    diagnostic: asText(fields['diagnosticCode']) || asText(event['smtpResponse']),
  };
}
