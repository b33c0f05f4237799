// Automatic help desk replies: whether a letter is an acknowledgment (“We have received your request [#1234]”), which
// says nothing about the person we wrote to, or a person’s words that the desk forwarded, although they are marked as
// automatic.
import { first } from '../reports/fields.ts';
import type { Fields } from '../reports/fields.ts';
import { fold } from './fold.ts';
import { newSentences } from './unsubscribe.ts';

/** `number`: as it is there; empty where it names none. */
export type Ticket = { number: string };

/** What a help desk sent: its acknowledgment, someone's words, or no help desk at all. */
export type Desk = { kind: 'notice'; ticket: Ticket } | { kind: 'words' } | null;

/** Field names that only desks write, by their beginning. */
const FIELDS =
  /^(?:x-zendesk|x-freshdesk|x-fd-|x-jira-|x-atlassian-|x-otrs-|x-znuny-|x-zammad-|x-helpscout-|x-rt-|rt-ticket|x-servicenow-|x-kayako|x-happyfox|x-zohodesk|x-osticket|x-ticket-id|x-case-id|x-gorgias)/;
const PROGRAMS =
  /zendesk|freshdesk|freshservice|jira|atlassian|otrs|znuny|zammad|help ?scout|request tracker|osticket|servicenow|kayako|happyfox|zoho ?desk|gorgias/i;
const IDS =
  /@(?:[\w.-]{1,100}\.)?(?:zendesk\.com|freshdesk\.com|freshservice\.com|helpscout\.net|zammad\.com)>/i;

const NAMED =
  /(?:^| )(?:requests?|inquiry|enquiry|tickets?|case|message|e-?mail|question|submission|anfrage|nachricht|anliegen|vorgang|mitteilung|demande|requete|courriel|solicitud|consulta|mensaje|incidencia|caso|richiesta|messaggio|segnalazione|verzoek|bericht|aanvraag|melding|vraag|pedido)(?=[^a-z]|$)/;
const GOT =
  /(?:^| )(?:received|got|created|opened|logged|registered|submitted|raised|erhalten|eingegangen|erstellt|registriert|eroffnet|aufgenommen|angelegt|recue?s?|creee?|enregistree?|ouvert|recibid[oa]s?|recibimos|cread[oa]|registrad[oa]|abiert[oa]|ricevut[oa]|abbiamo ricevuto|creat[oa]|apert[oa]|registrat[oa]|ontvangen|aangemaakt|geregistreerd|geopend)(?=[^a-z]|$)/;
const OVER =
  /(?:^| )(?:solved|resolved|closed|rate (?:the|our|your)|survey|satisfied|satisfaction|geschlossen|gelost|resolu|resuelt[oa]|cerrad[oa]|chius[oa]|risolt[oa]|gesloten|opgelost)(?=[^a-z]|$)/;
const ABSENT =
  /out of (?:the )?office|on (?:vacation|leave|holiday)|abwesen|nicht im buro|urlaub|absent|en conge|vacaciones|fuera de la oficina|fuori (?:sede|ufficio)|in ferie|afwezig|met vakantie|no longer|nicht mehr|ne travaille plus|ya no|non lavora piu|niet meer/;

const TICKET: ReadonlySet<string> = new Set(
  'ticket case request vorgang anfrage demande solicitud richiesta verzoek caso ref'.split(' '),
);
const CALLED: ReadonlySet<string> = new Set('number nummer no nr id numero'.split(' '));

const FIRST_SENTENCES = 12;
const SHOWN_CHARS = 400;

export function deskOf(
  header: Fields,
  { subject, text_stripped, automatic }: { subject: string; text_stripped: string; automatic: boolean },
): Desk {
  const sentences = newSentences(text_stripped)
    .slice(0, FIRST_SENTENCES)
    .map((sentence) => fold(sentence.slice(0, SHOWN_CHARS)));
  const said = [fold(subject.slice(0, SHOWN_CHARS)), ...sentences];
  const isDesk = comesFromDesk(header);
  // Who is away or gone says so, by whatever program.
  if (said.some((each) => ABSENT.test(each))) return null;
  const number = numberIn(subject) ?? numberIn(text_stripped.slice(0, 2_000));
  const isGot = said.some((each) => NAMED.test(each) && GOT.test(each));
  const isOver = isDesk && automatic && said.some((each) => NAMED.test(each) && OVER.test(each));
  const isNotice =
    isOver || (isGot && (isDesk || (automatic && number !== null))) || isAcknowledgment(subject);
  if (isNotice) return { kind: 'notice', ticket: { number: number ?? '' } };
  return isDesk ? { kind: 'words' } : null;
}

/**
 * Without any header of a machine the subject has to say all of it: a number alone may be one of ours, such as "ISO-27001", and
 * people say that they got a message.
 */
function isAcknowledgment(subject: string): boolean {
  const said = fold(subject.slice(0, SHOWN_CHARS));
  return !ANSWERS.test(said) && numberIn(subject) !== null && NAMED.test(said) && GOT.test(said);
}
const ANSWERS = /^\s*(?:re|aw|antw|sv|vs|odp|r|rif|res|fwd?|wg|tr)\s?:/;

const comesFromDesk = (header: Fields): boolean =>
  [...header.keys()].some((name) => FIELDS.test(name)) ||
  PROGRAMS.test((first(header, 'x-mailer') ?? '').slice(0, 200)) ||
  PROGRAMS.test((first(header, 'x-powered-by') ?? '').slice(0, 200)) ||
  IDS.test((first(header, 'message-id') ?? '').slice(0, 1_000));

/** `[#1234]`, `(Case 4711)`, `Ticket#20260304`, `HELP-12`, `Request (123)`. */
function numberIn(text: string): string | null {
  const key = /(?<![\w-])[A-Z][A-Z0-9]{1,9}-\d{1,9}(?![\w-])/.exec(text)?.[0];
  if (key !== undefined) return key;
  const words = text.split(/([^\p{L}\d]+)/u);
  const at = words.findIndex(
    (word, n) =>
      /^\d{3,20}$/.test(word) && ((words[n - 1] ?? '').includes('#') || TICKET.has(calledBefore(words, n))),
  );
  return words[at] ?? null;
}

/** The word before a number, past "number", "ID" and the like. */
function calledBefore(words: readonly string[], at: number): string {
  const word = fold(words[at - 2] ?? '');
  return CALLED.has(word) ? fold(words[at - 4] ?? '') : word;
}
