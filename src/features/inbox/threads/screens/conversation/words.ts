// Words for conversations: readings with their colors, channels, states and names.
import { counted } from '../../../../../ui/kit/numbers.ts';
import type { Tone } from '../../../../../ui/kit/pills.tsx';
import type { INBOX_STATES, Thread } from '../../contract.ts';
import type { Touch } from '../../touches.contract.ts';

export type Reading = NonNullable<Thread['reading']>;

/** In the order of the number keys. */
export const READING: Record<Reading, { title: string; tone: Tone; says: string }> = {
  positive: { title: 'Positive', tone: 'good', says: 'They’re interested' },
  neutral: { title: 'Neutral', tone: 'info', says: 'A question, objection or “not now”' },
  negative: { title: 'Negative', tone: 'mute', says: 'They said no' },
  referral: { title: 'Referral', tone: 'agent', says: 'They suggest someone else' },
  unsubscribe: { title: 'Unsubscribe', tone: 'bad', says: 'They want no more email' },
  out_of_office: { title: 'Away', tone: 'warn', says: 'Automatic reply' },
  unread: { title: 'No reading', tone: 'mute', says: 'Couldn’t be classified' },
};
export const READINGS_LISTED = Object.keys(READING) as Reading[];

export const CHANNEL: Record<Thread['channel'], string> = {
  email: 'Email',
  form: 'Form',
  sms: 'Text message',
  linkedin: 'LinkedIn',
  call: 'Call',
  chat: 'Chat',
};
export const CHANNELS_LISTED = ['email', 'form', 'sms', 'linkedin', 'call'] as const;

export type InboxState = (typeof INBOX_STATES)[number] | 'all';
export const STATE: Record<InboxState, string> = {
  unanswered: 'Unanswered',
  open: 'Open',
  snoozed: 'Snoozed',
  closed: 'Closed',
  all: 'All',
};
export const STATES_LISTED = Object.keys(STATE) as InboxState[];

/** The inbox counts no further than this. */
const COUNTED_TO = 1_000;
/** `12`; `1,000+` from where it stops counting. */
export const tallied = (n: number): string => (n < COUNTED_TO ? counted(n) : `${counted(COUNTED_TO)}+`);

export const withWhom = (thread: Pick<Thread, 'person_name'>): string =>
  thread.person_name ?? 'Unknown sender';

/** Who wrote it, as the head of a message says it. */
export function writer(touch: Touch): string {
  if (touch.note || (touch.by && touch.direction === 'out')) return touch.by?.name ?? 'Your team';
  return (
    touch.from?.name || touch.from?.address || (touch.direction === 'out' ? 'Your team' : 'Unknown sender')
  );
}

/** Why someone else may have written it in their name; null: nothing says so. */
export function doubtOf({
  authentication: of,
}: Pick<Touch, 'authentication'>): 'forged' | 'unverified' | null {
  if (of === null) return null;
  if (of.dmarc === 'fail') return 'forged';
  return of.spf === null && of.dkim === null && of.dmarc === null ? 'unverified' : null;
}

const READ_BY = { rule: 'by rule', model: 'by AI model', person: 'by a person' } as const;

export const readBy = ({ reading_by }: Pick<Touch, 'reading_by'>): string =>
  reading_by ? `Read ${READ_BY[reading_by]}` : 'No reading yet';
