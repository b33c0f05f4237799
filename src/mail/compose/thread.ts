// How a letter joins a conversation (RFC 5322 section 3.6.4): its own id, the ids before it, and a subject that mail
// clients group by.
import { newId } from '../../kernel/ids.ts';
import { isMessageId } from './fields.ts';

/** Fixed when the send is made. `domain` is one we own, in ASCII. */
export const newMessageId = (domain: string): string => `<${newId()}@${domain}>`;

export type Parent = { message_id: string; references: readonly string[]; in_reply_to: string | null };

/** Enough for any program to find the thread; a header that grows without end is cut somewhere by someone. */
const MOST_REFERENCES = 30;

/**
 * The References of a letter that answers `parent`: the parent's, or its In-Reply-To where it has none, and the parent's
 * own id. What is no message id is left out, since it is a stranger's text; the first stays when the middle is cut.
 */
export function referencesTo({ message_id, references, in_reply_to }: Parent): string[] {
  const before = references.length > 0 || in_reply_to === null ? references : [in_reply_to];
  const ids = [...new Set([...before.filter((id) => id !== message_id), message_id])].filter(isMessageId);
  const [first, ...rest] = ids;
  return first === undefined || ids.length <= MOST_REFERENCES
    ? ids
    : [first, ...rest.slice(1 - MOST_REFERENCES)];
}

/** As mail programs of many languages mark an answer; `Re[2]:` is one too. */
const ANSWERS = /^\s*(re|aw|sv|vs|antw|odp|ynt|rif|res|回复|回覆|答复|返信)\s*(?:\[\d+\]\s*)?[:：]/iu;

/** The subject of a reply: unchanged apart from one `Re: `. An empty one stays `Re:`, since a thread needs its mark. */
export const replySubject = (subject: string): string =>
  ANSWERS.test(subject) ? subject.trim() : `Re: ${subject.trim()}`.trim();
