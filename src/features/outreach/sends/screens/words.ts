// Letters in words for people: their states, why someone reads them first, the fifteen gates, and what happened to them.
import type { Tone } from '../../../../ui/kit/pills.tsx';
import type { GateRow, Outlook, Send, SendFact } from '../contract.ts';
import { whyReported } from '../../../../ui/kit/causes.ts';
import type { DeliveryReport } from '../../deliveries/report.contract.ts';
import { HOLDS, WAITS } from '../letter/reasons.rules.ts';

export const STATE: Record<Send['state'], { title: string; tone: Tone }> = {
  drafted: { title: 'Draft', tone: 'mute' },
  review: { title: 'In review', tone: 'warn' },
  scheduled: { title: 'Scheduled', tone: 'info' },
  sending: { title: 'Sending', tone: 'info' },
  sent: { title: 'Sent', tone: 'good' },
  held: { title: 'Held', tone: 'bad' },
  cancelled: { title: 'Cancelled', tone: 'mute' },
  failed: { title: 'Failed', tone: 'bad' },
  uncertain: { title: 'Uncertain', tone: 'warn' },
};
export const STATES_LISTED = Object.keys(STATE) as Send['state'][];

export const KIND: Record<Send['kind'], string> = {
  sequence: 'Campaign letter',
  answer: 'Answer',
  one_off: 'Single letter',
};

export const DELIVERY: Record<NonNullable<Send['delivery']>, { title: string; tone: Tone }> = {
  accepted: { title: 'Accepted', tone: 'mute' },
  delivered: { title: 'Delivered', tone: 'good' },
  soft: { title: 'Soft bounce', tone: 'warn' },
  hard: { title: 'Hard bounce', tone: 'bad' },
  policy: { title: 'Refused', tone: 'bad' },
  complaint: { title: 'Complaint', tone: 'bad' },
};

export const REPORTED: Record<DeliveryReport['kind'], { title: string; tone: Tone }> = {
  ...DELIVERY,
  spam_trap: { title: 'Spam trap', tone: 'bad' },
};

/** Who reported it. */
export const SOURCE: Record<DeliveryReport['source'], string> = {
  session: 'While sending',
  report: 'Bounce message',
  vendor: 'Vendor',
};

/** Why it is here, for whoever is to decide. */
export const WHY_HERE: Record<NonNullable<Send['review_reason']>, string> = {
  every_letter: 'Every letter of this campaign is reviewed.',
  first_touch: 'This is the campaign’s first letter to this person.',
  changed: 'The letter has generated or edited text that its step doesn’t have.',
  sample: 'The letter is part of the review sample.',
  unconfirmed: 'No one has confirmed that this campaign’s letters may be sent without review.',
  sequence_changed: 'The steps or the sender changed after the review policy was set.',
  base_url_changed: 'The instance’s address changed after approval, so its links are new.',
  edited: 'Someone edited the letter after it was drafted.',
  rewritten: 'The letter was rewritten for this person.',
  one_off: 'This letter isn’t part of a campaign.',
};

/** In their order. */
export const GATE: Record<GateRow['gate'], string> = {
  suppressed: 'The address isn’t suppressed',
  prospect: 'The person is still in the campaign',
  prospect_hold: 'Not on hold',
  campaign: 'The campaign is running',
  review: 'It was approved, or needs no approval',
  letter: 'The letter is complete and safe',
  lawful: 'Legal requirements met: unsubscribe link, postal address, legal basis',
  address: 'The address exists',
  person_load: 'The person’s letter limit allows it',
  identity: 'The identity may send now',
  domain: 'The domain may send now',
  campaign_volume: 'The campaign’s volume allows it',
  clock: 'Within sending hours',
  transport: 'The mail server accepts it',
  instance: 'This instance may send',
};

export const VERDICT: Record<GateRow['verdict'], { title: string; tone: Tone }> = {
  pass: { title: 'Open', tone: 'good' },
  wait: { title: 'Waiting', tone: 'warn' },
  hold: { title: 'Closed', tone: 'bad' },
  over: { title: 'Ended', tone: 'mute' },
  skipped: { title: 'Not checked', tone: 'mute' },
};

export const WHO: Record<'person' | 'operator' | 'time', string> = {
  person: 'you or a colleague',
  operator: 'the operator',
  time: 'no one: it lifts automatically',
};

export const whoLifts = (who: NonNullable<Outlook['why_not']>['who']): string =>
  who === null ? '' : who === 'time' ? 'Lifts automatically.' : `Lifted by ${WHO[who]}.`;

const REASON_WORDS: Record<string, string> = {
  unsafe_header: 'Unsafe header',
  no_basis: 'No basis',
  no_identity: 'No identity',
  base_url_local: 'Local address',
  base_url_changed: 'Instance address changed',
  other_address: 'Earlier instance address',
};

/** `domain_paused` as `Domain paused`. */
export const inWords = (code: string): string =>
  REASON_WORDS[code] ?? (code.charAt(0).toUpperCase() + code.slice(1)).replaceAll('_', ' ');

/** Letters of which no one knows whether they went. */
export const UNCERTAIN = {
  says: 'The connection was lost during sending. A copy in Sent, a reply or a bounce settles it, or a person records the outcome.',
  about:
    'The connection was lost before the mail server replied. A letter is settled automatically when a copy in Sent, a reply or a bounce is found. Settle the others here.',
  evidence: { sent_copy: 'Copy in Sent', reply: 'Reply', bounce: 'Bounce' },
  inList: { sent_copy: 'copy in Sent', reply: 'reply', bounce: 'bounce' },
  none: 'not found',
  never: 'Not checked: this sender has no connected mailbox',
  sent: 'Mark as sent',
  again: 'Send again',
  askSent: (letters: string) => ({
    title: `Mark ${letters} as sent?`,
    says: 'The recipients move on to the next step. A letter that never left isn’t sent again.',
    act: 'Mark as sent',
  }),
  askAgain: (letters: string) => ({
    title: `Send ${letters} again?`,
    says: 'The letters go out after their gates pass. Anyone who already got one gets it twice.',
    act: 'Send again',
    tone: 'bad' as const,
  }),
};

/** What was looked for in vain, in a few words. */
function lookedWord({ looked_for }: Send): string {
  const looked = (looked_for ?? []).flatMap(({ evidence, looked_at }) =>
    looked_at ? UNCERTAIN.inList[evidence] : [],
  );
  return looked.length === 0 ? 'Outcome unknown' : `No ${looked.join(', no ')}`;
}

const EVIDENCE: Record<string, string> = {
  sent_copy: 'A copy was found in Sent.',
  reply: 'The recipient replied.',
  bounce: 'The letter bounced.',
  complaint: 'The recipient complained.',
  delivery_report: 'A delivery report arrived.',
  vendor_event: 'The vendor sent an event.',
  server_reply: 'The mail server replied late.',
};

/** Why a letter does not go or was not taken, in a few words for a list, with the server's own beside them; null where nothing stops it. */
export function stopped(send: Send): { word: string; says: string } | null {
  if (send.state === 'uncertain') return { word: lookedWord(send), says: UNCERTAIN.says };
  if (send.hold) return { word: inWords(send.hold.reason), says: HOLDS[send.hold.reason].says };
  const report = send.delivery_report;
  if (send.waiting_for)
    return { word: inWords(send.waiting_for), says: report?.said ?? WAITS[send.waiting_for].says };
  if (report) return { word: whyReported(report), says: report.said ?? report.status ?? whyReported(report) };
  if (send.failed_reason)
    return { word: inWords(send.failed_reason), says: 'The receiving server rejected it.' };
  if (send.cancel_reason) return { word: inWords(send.cancel_reason), says: 'The letter was canceled.' };
  return null;
}

const HAPPENED: Record<string, string> = {
  drafted: 'drafted it',
  made_anew: 're-rendered it',
  edited: 'edited it',
  rewritten: 'rewrote it',
  approved: 'approved it',
  unapproved: 'undid the approval',
  returned: 'returned it',
  rejected: 'rejected it',
  cancelled: 'canceled it',
  held: 'held it',
  released: 'released it',
  rechecked: 'rechecked it',
  started: 'started sending it',
  sent: 'sent it',
  put_off: 'postponed it',
  failed: 'couldn’t deliver it',
  uncertain: 'lost the connection while sending it',
  resolved: 'recorded its outcome',
  resent: 'sent it again',
};

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

export function happened({ kind, details }: SendFact): { did: string; more: string | null } {
  const outcome = text(details['outcome']);
  const reason = text(details['reason']);
  return {
    did: HAPPENED[kind] ?? inWords(kind).toLowerCase(),
    more:
      text(details['note']) ??
      EVIDENCE[text(details['evidence']) ?? ''] ??
      (outcome && (outcome === 'sent' ? 'The letter was sent.' : 'The letter wasn’t sent.')) ??
      (reason && inWords(reason)),
  };
}

export const addressee = (send: Send): string => send.person_name ?? send.to;

/** A letter that failed, sent again. */
export const AGAIN = {
  act: 'Send again',
  done: 'Letter queued to send again.',
  ask: (to: string) => ({
    title: `Send this letter to ${to} again?`,
    says: 'The letter goes out as approved, after its gates pass. Fix the cause first, or it fails again.',
    act: 'Send again',
  }),
  askMany: (letters: string) => ({
    title: `Send ${letters} again?`,
    says: 'The letters go out as approved, after their gates pass. Fix the cause first, or they fail again.',
    act: 'Send again',
  }),
  none: 'No selected letter failed.',
  skip: 'Skip to the next step',
  skipped: 'Letter skipped.',
  askSkip: (name: string) => ({
    title: `Skip this letter to ${name}?`,
    says: `${name} never gets this letter and continues with the next step.`,
    act: 'Skip the letter',
    tone: 'bad' as const,
  }),
};
