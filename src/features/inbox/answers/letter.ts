// Makes a draft from what its author wrote, and from the draft the letter that would be sent now.
import type { Caller } from '../../../kernel/caller.ts';
import { conflict, invalid, Refusal, stop } from '../../../kernel/refusal.ts';
import { ADDRESS_SAYS, parseAddress } from '../../../mail/address.rules.ts';
import { replySubject } from '../../../mail/compose/thread.ts';
import { appended, htmlFromText } from '../../../mail/letters/html.ts';
import { quoteOf } from '../../../mail/letters/quote.ts';
import { fingerprintOf, type LetterWords } from '../../outreach/sends/letter/fingerprint.ts';
import type { DraftSender } from '../../outreach/sends/draft/source.store.ts';
import type { LoadedThread } from '../threads/store.ts';
import { mayRead } from '../threads/read/touches.store.ts';
import { type Around, type Mailbox, onWire } from './around.store.ts';
import { htmlOf, ruleAnswerable, ruleQuote, withNewest } from './rules.ts';
import type { Kept, Written } from './store.ts';

type Signature = { signature_text: string; signature_html: string };

/** What is written with its sender's signature below, where its author has not put it there. */
function signed(
  { text, html }: { text: string; html: string | null },
  sender: Signature | null,
): { text: string; html: string | null } {
  const plain = text.replace(/\r\n?/g, '\n').trim();
  const signature = sender?.signature_text.replace(/\r\n?/g, '\n').trim() ?? '';
  const below = sender?.signature_html.trim() || htmlFromText(signature, null);
  return {
    text: signature === '' || plain.endsWith(signature) ? plain : `${plain}\n\n${signature}`,
    html:
      html === null || below === '' || html.includes(below) ? html : appended(html, [`<div>${below}</div>`]),
  };
}

/** What would go, if it were sent now; `quoted` is the end of its text. */
export function letterOf(
  { answer, quoted: theirs, files }: Pick<Kept, 'answer' | 'quoted' | 'files'>,
  sender: DraftSender | null,
) {
  const { subject, to_address, cc } = answer;
  const { text, html } = signed(answer, sender);
  const quote = theirs && quoteOf(theirs, sender?.timezone ?? 'UTC');
  const said = {
    text: quote ? `${text}\n\n${quote.text}` : text,
    html: html !== null && quote ? appended(html, [quote.html]) : html,
  };
  return { ...said, quoted: quote?.text ?? null, subject, to_address, cc, from: sender, attachments: files };
}

export const readFingerprint = (said: LetterWords, newest: string | null): string =>
  withNewest(fingerprintOf(said), newest);

type Given = {
  text: string;
  subject?: string | undefined;
  html?: string | null | undefined;
  cc?: string[] | undefined;
  quote?: boolean | undefined;
  /** Whether it quoted before. */
  quoted?: boolean;
};

/** What is written, to whom they wrote from last. */
export function writtenIn(
  caller: Caller,
  home: LoadedThread,
  { theirs }: Around,
  files: string[],
  given: Given,
): Written {
  stop(ruleAnswerable(home.channel, theirs));
  const to = theirs && onWire(theirs.from_address);
  if (!theirs || !to)
    throw conflict(
      'the address this mail came from can’t receive mail: write to another address of this person with POST /api/admin/outreach/letters',
    );
  const reads = mayRead(caller, home, theirs);
  const quotes = ruleQuote(given.quote, given.quoted ?? true, reads);
  if (quotes instanceof Refusal) throw quotes;
  const subject = given.subject?.trim() || replySubject((reads && theirs.subject) || home.subject);
  return {
    text: given.text,
    subject: subject.slice(0, LONGEST_SUBJECT).toWellFormed(),
    html: htmlOf(given.html ?? null),
    cc: copies(given.cc ?? [], to),
    to_address: to.address,
    answers_touch: theirs.id,
    quotes,
    files,
  };
}

const LONGEST_SUBJECT = 998;

/** Everyone once, and no one who gets the letter itself. */
function copies(given: readonly string[], to: Mailbox): string[] {
  const found = new Map<string, string>();
  for (const each of given) {
    const parsed = parseAddress(each);
    const says = parsed.ok ? null : ADDRESS_SAYS[parsed.why];
    if (says !== null) throw invalid(`cc: ${says}`, { cc: says });
    const box = mailbox(each);
    if (box.normalised !== to.normalised && !found.has(box.normalised))
      found.set(box.normalised, box.address);
  }
  return [...found.values()];
}

/** Of an address that was parsed when it was written down. */
export function mailbox(address: string): Mailbox {
  const box = onWire(address);
  if (!box) throw new Error('an address that was parsed once is none');
  return box;
}

export const saysTheSame = ({ answer, files }: Kept, said: Written): boolean =>
  JSON.stringify(wordsIn({ ...answer, files: files.map(({ id }) => id) })) === JSON.stringify(wordsIn(said));

const wordsIn = ({ subject, text, html, to_address, cc, answers_touch, quotes, files }: Written) => [
  subject,
  text,
  html,
  to_address,
  cc,
  answers_touch,
  quotes,
  files,
];
