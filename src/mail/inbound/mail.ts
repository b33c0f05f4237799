// One letter from outside, in one shape. Everything in it except our own words is a stranger’s text: cleaned for
// storage, limited (`limits.ts`), and never trusted.
import type { Mailbox } from '../compose/fields.ts';
import type { AutomaticSignal } from '../reports/report.ts';
import type { Authentication } from './authenticity.ts';
import type { RuleReading } from './reading.ts';

export type { Mailbox } from '../compose/fields.ts';

export type Attachment = {
  filename: string | null;
  content_type: string;
  /** Without its angle brackets: what `data-cid` of an image in `html` names. */
  content_id: string | null;
  /** Shown within the letter, not beside it. */
  inline: boolean;
  /** Null: its end lies behind what was read of the mail. */
  size: number | null;
  /** Null: too large to keep, or not whole. */
  bytes: Uint8Array | null;
};

/** What someone said to an invitation (RFC 5546). */
export type CalendarAnswer = { answer: 'accepted' | 'declined' | 'tentative' | 'other' };

export type ReadMail = {
  /** This and all other Message-IDs are without their angle brackets. */
  message_id: string | null;
  in_reply_to: string | null;
  /** Oldest first, as in the field. */
  references: string[];
  from: Mailbox | null;
  reply_to: Mailbox[];
  to: Mailbox[];
  cc: Mailbox[];
  subject: string;
  date: Date | null;
  /** The text part, or the words of the HTML where there is none; what is quoted in HTML has `> ` before its lines. */
  text: string;
  /** Without what was quoted and signed: a part of `text`. */
  text_stripped: string;
  /** Nothing was left without it, and `text_stripped` is the whole text. */
  stripped_whole: boolean;
  /** Of the mailing list that it came by (RFC 2919), in lower case without brackets. */
  list_id: string | null;
  /** Sanitised; null where the letter has no HTML. Images have `data-cid` or `data-src` and no `src`. */
  html: string | null;
  attachments: Attachment[];
  /** A machine wrote this. Bounces and complaints are machines' too: `readReports` is asked first. */
  automatic: { signal: AutomaticSignal } | null;
  /** Of an automatic answer: the day when they are back, `2026-03-29`. */
  returns_on: string | null;
  calendar: CalendarAnswer | null;
  /** Whether it came from whom it says, as our receiving server found; null: it says nothing of it. */
  authentication: Authentication | null;
  /** They passed on someone else's letter. */
  forwarded: boolean;
  /** What it is by the rules, `reading.ts`. */
  reading: RuleReading;
  /** It is encrypted for someone, and was not read. */
  encrypted: boolean;
  /** Message-IDs that are in the body or in the header of a letter within it, the most telling first. */
  quoted_ids: string[];
  /** The letter holds more than is here: more lines, bytes, words or files than are read, or parts that no one can take apart. */
  cut: boolean;
};
