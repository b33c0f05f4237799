// What a letter is read as by rules alone (domain.md §1.3): a machine's answer by its headers, a wish to be left alone by
// whole lines that say nothing else. Everything else is `unread`; no rule ever reads `positive`.
import type { ReadMail } from './mail.ts';
import { asksToStop } from './unsubscribe.ts';

export type RuleReading = {
  reading: 'out_of_office' | 'unsubscribe' | 'unread';
  by: 'rule';
  /** 0 to 1; null where nothing was read. */
  confidence: number | null;
  details: { returns_on?: string };
};

/** The surer the header, the surer the reading. */
const SURE = { auto_submitted: 1, responder_header: 0.95, null_return_path: 0.9, subject: 0.8 } as const;

type Read = Pick<ReadMail, 'automatic' | 'returns_on' | 'subject' | 'text_stripped' | 'stripped_whole'>;

/**
 * What a mail program sends for whoever presses its button: to the address, and about the word, that stands in the header of
 * our letters. It says that a machine wrote it, and so one did, for a person. No absence is announced about this word alone.
 */
const isWayOut = ({ subject }: Read): boolean => /^\s*unsubscribe\s*$/i.test(subject);

export function readingByRule(mail: Read): RuleReading {
  const { automatic, returns_on } = mail;
  if (automatic !== null && !isWayOut(mail)) {
    const details = returns_on === null ? {} : { returns_on };
    return { reading: 'out_of_office', by: 'rule', confidence: SURE[automatic.signal], details };
  }
  if (isWayOut(mail) || asksToStop(mail))
    return { reading: 'unsubscribe', by: 'rule', confidence: 0.98, details: {} };
  return UNREAD;
}

/** No rule said anything of it, or none came to its end. */
export const UNREAD: RuleReading = { reading: 'unread', by: 'rule', confidence: null, details: {} };
