// Resend’s webhooks (its documentation, “Event types”), read into our words: kinds, codes and ids. Of the receiver’s
// text only `said` is kept, as data to show.
import { z } from 'zod';
import { isUuid } from '../../kernel/ids.ts';
import { judge } from '../reports/judge.ts';
import type { DiagnosticClass } from '../reports/report.ts';
import { serverWords } from '../reports/words.ts';
import type { ReceivedMail, VendorEvent, VendorReport } from './vendor.ts';

/** Under this name a letter's own id goes to the vendor and comes back with everything that it says of it. */
export const SEND_TAG = 'dunnock_send';

export const RESEND_EVENTS = [
  'email.sent',
  'email.delivered',
  'email.delivery_delayed',
  'email.bounced',
  'email.complained',
  'email.failed',
  'email.suppressed',
  'email.received',
] as const;

const text = z.string().max(2_000);
const optional = text.nullish().catch(null);

const event = z.object({
  type: z.string().regex(/^[a-z_.]{1,100}$/),
  created_at: text,
  data: z.object({
    email_id: optional,
    message_id: optional,
    to: z.union([text.transform((one) => [one]), z.array(text).max(100)]).catch([]),
    // Documented as a record, and once as the list that it was given as.
    tags: z
      .union([
        z.record(z.string(), text),
        z
          .array(z.object({ name: text, value: text }))
          .max(100)
          .transform((list) => Object.fromEntries(list.map(({ name, value }) => [name, value]))),
      ])
      .catch({}),
    bounce: z
      .object({
        type: optional,
        subType: optional,
        message: optional,
        diagnosticCode: z.union([text.transform((one) => [one]), z.array(text).max(20)]).catch([]),
      })
      .nullish()
      .catch(null),
    failed: z.object({ reason: optional }).nullish().catch(null),
    suppressed: z.object({ message: optional }).nullish().catch(null),
  }),
});
type Data = z.infer<typeof event>['data'];

export function readResend(body: Buffer, now: Date): VendorEvent | null {
  const parsed = event.safeParse(jsonIn(body));
  if (!parsed.success) return null;
  const { type, created_at, data } = parsed.data;
  if (type === 'email.received')
    return { kind: type, report: null, received: receivedIn(data, created_at, now) };
  const fate = fateOf(type, data);
  if (fate === null) return { kind: type, report: null, received: null };
  const id = data.tags[SEND_TAG] ?? '';
  const report: VendorReport = {
    status: null,
    cause: null,
    said: serverWords(wordsIn(data)),
    ...fate,
    send_id: isUuid(id) ? id.toLowerCase() : null,
    message_id: data.message_id?.replace(/^<|>$/g, '') || null,
    external_id: data.email_id ?? null,
    recipients: data.to,
    at: momentIn(created_at, now),
  };
  return { kind: type, report, received: null };
}

/** The event carries no body: whoever wants the mail asks for it by its id. */
function receivedIn({ email_id, to }: Data, said: string, now: Date): ReceivedMail | null {
  if (!email_id || !/^[\w-]{1,200}$/.test(email_id)) return null;
  return { external_id: email_id, delivered_to: to.slice(0, 20), at: momentIn(said, now) };
}

/** The receiver's where they came along, else the vendor's. */
const wordsIn = ({ bounce, failed, suppressed }: Data): string =>
  bounce?.diagnosticCode.join('\n').trim() ||
  (bounce?.message ?? failed?.reason ?? suppressed?.message ?? '');

type Fate = Pick<VendorReport, 'kind'> & Partial<Pick<VendorReport, 'status' | 'cause'>>;

function fateOf(type: string, data: Data): Fate | null {
  switch (type) {
    case 'email.sent':
      return { kind: 'accepted' };
    case 'email.delivered':
      return { kind: 'delivered' };
    case 'email.delivery_delayed':
      return { kind: 'soft' };
    case 'email.complained':
      return { kind: 'complaint' };
    case 'email.bounced':
      return bounced(data);
    // It is the vendor who did not send it: for a quota, a sender that it does not know, a file that it does not carry.
    case 'email.failed':
      return { kind: 'policy', cause: 'sender_refused' };
    // The vendor knows the address from an earlier bounce or complaint and does not try it any more.
    case 'email.suppressed':
      return { kind: 'hard', cause: 'no_such_address' };
    default:
      return null;
  }
}

/** Sub-kinds that speak of the letter or its sender, whatever the kind says. */
const OF_THE_LETTER: Record<string, DiagnosticClass> = {
  MessageTooLarge: 'too_big',
  ContentRejected: 'content',
  AttachmentRejected: 'content',
};

/** The receiver's own words, where they came along, count before the vendor's class; in doubt the milder reading. */
function bounced({ bounce }: Data): Fate {
  const { type, subType, diagnosticCode = [] } = bounce ?? {};
  const said = diagnosticCode.join('\n');
  const isPermanent = type === 'Permanent';
  const ofLetter = OF_THE_LETTER[subType ?? ''];
  if (ofLetter) return { kind: 'policy', cause: ofLetter };
  if (said.trim() !== '') {
    const { kind, status, diagnostic_class } = judge({
      action: isPermanent ? 'failed' : 'delayed',
      stated: null,
      diagnostic: said,
      prose: '',
      filed: isPermanent ? 'no_such_address' : null,
      stage: null,
    });
    if (kind !== 'delivered') return { kind, status, cause: diagnostic_class };
  }
  if (subType === 'MailboxFull') return { kind: 'soft', status: '5.2.2', cause: 'mailbox_full' };
  return isPermanent ? { kind: 'hard', cause: 'no_such_address' } : { kind: 'soft', cause: null };
}

/** A time that no calendar has is now. */
function momentIn(said: string, now: Date): Date {
  const at = new Date(said);
  return at.getTime() > 0 && at < now ? at : now;
}

function jsonIn(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}
