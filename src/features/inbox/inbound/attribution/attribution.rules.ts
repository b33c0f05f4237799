// Which letter of ours someone answers (domain.md §6.1), pure: the clues of a mail in the order in which they are believed,
// and what two subjects have in common. Whoever asks the database looks all clues up at once and takes the first that leads
// anywhere, so that the order is here alone.

/** Most trustworthy first. `guessed`: by sender and subject; it moves no spine past replied and opens no deal. */
export const ORDER = ['in_reply_to', 'references', 'verp', 'quoted_id', 'guessed'] as const;
export type AttributedBy = (typeof ORDER)[number];

export type Clue =
  | { by: 'in_reply_to' | 'references' | 'quoted_id'; message_id: string }
  | { by: 'verp'; send_id: string };

/** How far back sender and subject are believed. */
export const GUESS_DAYS = 30;

/** A field that names a thousand letters names none. */
const MOST_IDS = 100;

export type Answering = {
  /** Message-IDs with or without their angle brackets. */
  in_reply_to: string | null;
  /** As they are in the field: the oldest first. */
  references: readonly string[];
  quoted_ids: readonly string[];
};

/** `verp_sends`: of the addresses that the mail was delivered to, the letters that they were made for. */
export function cluesOf(mail: Answering, verp_sends: readonly string[]): Clue[] {
  const named = (by: 'in_reply_to' | 'references' | 'quoted_id', ids: readonly string[]): Clue[] =>
    ids.slice(0, MOST_IDS).map((each) => ({ by, message_id: bracketed(each) }));
  return [
    ...named('in_reply_to', mail.in_reply_to === null ? [] : [mail.in_reply_to]),
    ...named('references', mail.references.slice(-MOST_IDS).toReversed()),
    ...verp_sends.slice(0, MOST_IDS).map((send_id) => ({ by: 'verp' as const, send_id })),
    ...named('quoted_id', mail.quoted_ids),
  ];
}

/** As Message-IDs are in our rows; no row has one that is longer than a line. */
const bracketed = (id: string): string => `<${id.trim().replace(/^<|>$/g, '').slice(0, 996)}>`;

/** The first clue that leads anywhere. */
export function believed<Place>(
  clues: readonly Clue[],
  known: { messages: ReadonlyMap<string, Place>; sends: ReadonlyMap<string, Place> },
): { by: Clue['by']; place: Place } | null {
  for (const clue of clues) {
    const place = clue.by === 'verp' ? known.sends.get(clue.send_id) : known.messages.get(clue.message_id);
    if (place !== undefined) return { by: clue.by, place };
  }
  return null;
}

/** Whether whom the letter went to is who writes. */
export const isTheirs = (
  place: { person_id: string | null },
  writer: { person_id: string | null },
): boolean => place.person_id !== null && place.person_id === writer.person_id;

/** What mail programs and responders put before a subject, in the languages of their makers, with a count or without. */
const PREFIX =
  /^(?:re|aw|antw|antwort|sv|vs|rv|odp|ynt|res|r|rif|ref|ré|回复|答复|回覆|返信|回信|답장|fw|fwd|wg|tr|vb|vl|enc|doorst|i|pd|转发|轉寄|転送|전달|automatic reply|auto(?:matic)?[- ]?(?:reply|response)|out of (?:the )?office(?: reply)?|automatische antwort|automatisch antwoord|réponse automatique|respuesta automática|risposta automatica|resposta automática|autosvar|automatisk svar)(?:\s*[[(]\d{1,3}[\])]|\^?\d{1,3})?\s*[:：]\s*/iu;

/** What two letters of one conversation have in common, in one spelling; empty where nothing is left. */
export function baseSubject(subject: string): string {
  let rest = subject.slice(0, 998).normalize('NFC').replace(/\s+/gu, ' ').trim();
  for (let before = ''; before !== rest;) {
    before = rest;
    rest = rest.replace(PREFIX, '').trim();
  }
  return rest.toLowerCase();
}
