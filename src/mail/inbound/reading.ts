// A letter’s reading by rules alone (domain.md §1.3): an automatic reply by its headers, a wish to be left alone by
// whole lines that say nothing else, and who left the company. Everything else is `unread`; no rule ever reads
// `positive`.
import { asksToErase } from './erasure.ts';
import type { Left } from './left.ts';
import type { ReadMail } from './mail.ts';
import type { Ticket } from './ticket.ts';
import { asksToStop } from './unsubscribe.ts';

export type RuleReading = {
  reading: 'out_of_office' | 'unsubscribe' | 'referral' | 'unread';
  by: 'rule';
  /** 0 to 1; null where nothing was read. */
  confidence: number | null;
  details: {
    returns_on?: string;
    /** They want their data erased: a person's act. */
    erasure?: true;
    /** They no longer work there. */
    left?: true;
    /** Whom they name in their place, with the address where there is one. */
    referred_to?: string;
    /** A help desk's acknowledgment: its ticket's number, or nothing where it names none. */
    ticket?: string;
  };
};

/** The surer the header, the surer the reading. */
const SURE = { auto_submitted: 1, responder_header: 0.95, null_return_path: 0.9, subject: 0.8 } as const;

type Read = Pick<ReadMail, 'automatic' | 'returns_on' | 'subject' | 'text_stripped' | 'stripped_whole'> & {
  left?: Left | null;
  ticket?: Ticket | null;
};

/**
 * What a mail program sends for whoever presses its button: to the address, and about the word, that is in the header of
 * our letters. It says that a machine wrote it, and so one did, for a person. No absence is announced about this word alone.
 */
const isOutgoingMail = ({ subject }: Read): boolean =>
  /^unsubscribe(?:(?: |%20|\+)[0-9a-f-]{36}\.[0-9a-f]{16})?$/i.test(subject.trim());

export function readingByRule(mail: Read): RuleReading {
  const { automatic, returns_on, left = null, ticket = null } = mail;
  if (ticket !== null && !isOutgoingMail(mail))
    return { reading: 'out_of_office', by: 'rule', confidence: 0.95, details: { ticket: ticket.number } };
  if (automatic !== null && !isOutgoingMail(mail)) {
    if (left !== null) return { ...leftBy(left), confidence: SURE[automatic.signal] };
    const details = returns_on === null ? {} : { returns_on };
    return { reading: 'out_of_office', by: 'rule', confidence: SURE[automatic.signal], details };
  }
  if (asksToErase(mail))
    return { reading: 'unsubscribe', by: 'rule', confidence: 0.98, details: { erasure: true } };
  if (isOutgoingMail(mail) || asksToStop(mail))
    return { reading: 'unsubscribe', by: 'rule', confidence: 0.98, details: {} };
  return left === null ? UNREAD : leftBy(left);
}

const leftBy = ({ named }: Left): RuleReading => ({
  reading: 'referral',
  by: 'rule',
  confidence: 0.9,
  details: { left: true, ...(named === null ? {} : { referred_to: named }) },
});

/** No rule said anything of it, or none came to its end. */
export const UNREAD: RuleReading = { reading: 'unread', by: 'rule', confidence: null, details: {} };
