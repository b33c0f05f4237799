// Whom a refusal is about where the session is with the operator's own mail server (RFC 6409). It takes letters from people it
// knows and passes them on, so it speaks of who sends: a quota, a login, a sender it does not let write. Nothing but 5.1.x at
// RCPT says that an address is bad.
//
//   sender      nothing leaves by the identity until it is mended
//   recipient   5.1.x at RCPT: hard. A mailbox, a route, or words alone for an unknown user: soft, and nobody is suppressed
//   content     this letter fails as policy
import { isGeneric } from '../reports/codes.ts';
import type { Verdict } from '../reports/judge.ts';
import type { DiagnosticClass } from '../reports/report.ts';
import type { Blame, SenderTrouble, Stage } from './transport.ts';

type Refusal = { words: string; stage: Stage; code: number; enhanced: string | null; verdict: Verdict };

export function blameOfSubmission(refusal: Refusal): Blame {
  const { stage } = refusal;
  const ofRecipient = stage === 'rcpt' ? recipientIn(refusal) : null;
  if (ofRecipient) return ofRecipient;
  const trouble = troubleIn(refusal);
  if (trouble) return { about: 'sender', kind: 'policy', cause: CAUSES[trouble], trouble };
  const cause = contentIn(refusal);
  if (cause) return { about: 'content', kind: 'policy', cause };
  return { about: 'sender', kind: 'policy', cause: CAUSES.refused, trouble: 'refused' };
}

const CAUSES: Record<SenderTrouble, DiagnosticClass> = {
  credentials: 'authentication',
  sender_refused: 'sender_refused',
  relay_refused: 'relay',
  quota: 'rate',
  refused: 'sender_refused',
};

/** RFC 3463 §3.2, without what it keeps for senders; 5.1.0 says nothing by itself. */
const ADDRESS = /^5\.1\.(?:[1-469]|10)$/;
const MAILBOX_OR_ROUTE = /^5\.[24]\.\d/;
/** Servers that give no enhanced codes check a domain, or an address of their own, and say it in these words. */
const UNKNOWN =
  /\bno such\b|\bunknown\b|not exist|n't exist|not found|unrout|unbekannt|inconnu|desconoc|sconosciut|onbekend/i;

function recipientIn({ words, code, enhanced, verdict }: Refusal): Blame | null {
  if (verdict.kind === 'policy' || verdict.kind === 'delivered' || isQuota(words, enhanced)) return null;
  const { kind } = verdict;
  const cause = verdict.diagnostic_class ?? 'unspecified';
  const isUnknown = kind === 'hard' && UNKNOWN.test(words);
  if (enhanced !== null && ADDRESS.test(enhanced)) return { about: 'recipient', kind, cause };
  if (enhanced === '5.1.0') return isUnknown ? { about: 'recipient', kind, cause } : null;
  const isPlain = enhanced === null || isGeneric(enhanced);
  if (MAILBOX_OR_ROUTE.test(enhanced ?? '') || (isPlain && (isUnknown || code === 552)))
    return { about: 'recipient', kind: 'soft', cause };
  return null;
}

/** How much one sends: of a period, or of a limit with its name. Providers say it in the language of their customers. */
const QUOTA = new RegExp(
  [
    String.raw`\b(?:per|an|each|every) (?:hour|day|minute|month)\b|\/(?:hour|day|min)\b|\bpro (?:stunde|tag|minute|monat)\b|\bpar (?:heure|jour)\b|\bpor (?:hora|d[ií]a)\b|all'ora\b|\bal giorno\b|\bper (?:uur|dag)\b`,
    String.raw`\b(?:hourly|daily|monthly|sending|sent|outgoing|outbound|submission|message|recipient|e-?mail|rate)(?: rate| e-?mail| message| mail| recipient| volume| user| sending)? (?:limit|quota|allowance)`,
    String.raw`\btoo many (?:e-?mails|messages|mails|letters)\b|\bthrottl`,
    String.raw`(?:sende|versand|tages|stunden|mail)-?(?:limit|kontingent|quota)|(?:limit|kontingent|quota) (?:\S{1,40} ){0,3}(?:erreicht|überschritten|ausgeschöpft)`,
    String.raw`(?:limite|quota) d'envoi|(?:l[ií]mite|cuota|cota) de env[ií]o|limite di invio|verzendlimiet|trop de (?:messages|mails|courriels)|demasiados (?:mensajes|correos)|troppi messaggi|te veel berichten`,
  ].join('|'),
  'i',
);
/** Google counts a day's letters as congestion; the others are Exchange's own. */
const QUOTA_CODES = ['5.4.5', '5.1.90', '5.7.28', '5.7.232', '5.7.233'];

const isQuota = (words: string, enhanced: string | null): boolean =>
  QUOTA.test(words) || (enhanced !== null && QUOTA_CODES.includes(enhanced));

const RELAY = /\brelay/i;
const SIGN_IN =
  /\bauth(?:entication|entifi[sz]ierung|entification)? (?:is )?(?:required|needed|erforderlich|requise)|\bmust (?:first )?(?:be )?(?:authenticat|log ?in|logged)|\bnot (?:authenticated|logged in)|\bauthenticate first|\blog ?in first/i;
const SENDER =
  /\bsender\b(?!\.).{0,60}(?:reject|refus|denied|not (?:owned|allowed|permitted|authori)|invalid|mismatch)|\bnot owned by|\bsend as\b|sendasdenied|\bon behalf of|\bfrom address|\b(?:envelope|header) from\b|absender\S{0,10} .{0,30}(?:nicht|abgelehnt|ungültig|unzulässig)/i;
const SENDER_CODES = ['5.1.7', '5.1.8', '5.7.27', '5.7.60'];
/** An account, or all that leaves it, and what was done to it. */
const SHUT =
  /\b(?:account|user|domain|mailbox|service|sending|outgoing (?:e-?mail|mail)|konto|versand)\b.{0,80}\b(?:suspend|disabled|locked|deactivat|gesperrt|deaktiviert)/i;

function troubleIn({ words, stage, code, enhanced, verdict }: Refusal): SenderTrouble | null {
  const cause = verdict.diagnostic_class;
  if (isQuota(words, enhanced) || cause === 'rate') return 'quota';
  if (RELAY.test(words)) return 'relay_refused';
  if (SIGN_IN.test(words)) return 'credentials';
  const isOfSender = (enhanced !== null && SENDER_CODES.includes(enhanced)) || SENDER.test(words);
  if (isOfSender || (stage === 'mail' && code === 553)) return 'sender_refused';
  // Our domain's records, our machine and our account are every letter's.
  return SHUT.test(words) || cause === 'authentication' || cause === 'blocked' ? 'refused' : null;
}

/** A size is announced with the sender. Everything else about a letter is known once it was given over, and not before. */
function contentIn({ stage, code, enhanced, verdict }: Refusal): DiagnosticClass | null {
  const cause = verdict.diagnostic_class ?? 'unspecified';
  if (code === 552 || enhanced === '5.3.4' || enhanced === '5.2.3') return 'too_big';
  if (enhanced?.startsWith('5.6.')) return 'content';
  if (stage !== 'final') return null;
  return verdict.kind === 'policy' ? cause : 'policy';
}
