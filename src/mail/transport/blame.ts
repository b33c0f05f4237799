// Whom a refusal is about when the session is with the operator’s own mail server (RFC 6409). That server accepts
// letters from users it knows and relays them, so it speaks about the sender: a quota, a login, a sender it doesn’t
// allow. Only 5.1.x at RCPT says that an address is bad.
//
//   sender      nothing leaves by the identity until it is fixed
//   recipient   5.1.x at RCPT: hard. A mailbox, a route, or words alone for an unknown user or a recipient that is refused or
//               named: soft, and no one is suppressed
//   content     this letter fails as policy
import { isGeneric } from '../reports/codes.ts';
import type { Verdict } from '../reports/judge.ts';
import type { DiagnosticClass } from '../reports/report.ts';
import type { Blame, SenderTrouble, Stage } from './transport.ts';

/** Replaces the letter’s address in the words of a reply. */
export const RECIPIENT = '\uE000';

type Refusal = { words: string; stage: Stage; code: number; enhanced: string | null; verdict: Verdict };

export function blameOfSubmission(refusal: Refusal): Blame {
  const { stage } = refusal;
  const ofRecipient = stage === 'rcpt' ? recipientIn(refusal) : null;
  if (ofRecipient) return ofRecipient;
  const trouble = troubleIn(refusal);
  if (trouble) return { about: 'sender', kind: 'policy', cause: CAUSES[trouble], trouble };
  if (stage === 'rcpt' && isRecipientNamed(refusal))
    return { about: 'recipient', kind: 'soft', cause: refusal.verdict.diagnostic_class ?? 'unspecified' };
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

/** RFC 3463 §3.2, without what it keeps for senders; 5.1.0 says nothing on its own. */
const ADDRESS = /^5\.1\.(?:[1-469]|10)$/;
const MAILBOX_OR_ROUTE = /^5\.[24]\.\d/;
/** Servers that give no enhanced codes check a domain, or an address of their own, and say it in these words. */
const UNKNOWN =
  /\bno such\b|\bunknown\b|not exist|n't exist|not found|unrout|unbekannt|inconnu|desconoc|sconosciut|onbekend/i;

function recipientIn(refusal: Refusal): Blame | null {
  const { words, code, enhanced, verdict } = refusal;
  if (isRestricted(refusal)) return { about: 'recipient', kind: 'soft', cause: 'policy' };
  const cause = verdict.diagnostic_class ?? 'unspecified';
  // A receiver that is passed on: what it says of how often, or of an account, is the recipient's.
  const isTheirs = isSaid(THEIRS, words) && !OURS.test(words);
  if (isTheirs && verdict.kind !== 'hard') return { about: 'recipient', kind: 'soft', cause };
  if (verdict.kind === 'policy' || verdict.kind === 'delivered' || isQuota(words, enhanced)) return null;
  const { kind } = verdict;
  const isUnknown = kind === 'hard' && UNKNOWN.test(words);
  if (enhanced !== null && ADDRESS.test(enhanced)) return { about: 'recipient', kind, cause };
  if (enhanced === '5.1.0') return isUnknown ? { about: 'recipient', kind, cause } : null;
  const isPlain = enhanced === null || isGeneric(enhanced);
  if (MAILBOX_OR_ROUTE.test(enhanced ?? '') || (isPlain && (isUnknown || code === 552)))
    return { about: 'recipient', kind: 'soft', cause };
  // Exchange's own third numbers: it knows no such recipient elsewhere.
  const isOther = enhanced?.startsWith('5.1.') === true && !SENDER_CODES.includes(enhanced);
  return isTheirs || (isOther && isUnknown) ? { about: 'recipient', kind: 'soft', cause } : null;
}

/** Who is meant by it: whom the letter is for, and not whose account it leaves by. */
const THEIRS: Said = [
  [/\byou(?: are|'re)? (?:tried|trying) to (?:contact|reach)\b/i],
  [
    /\brecipient(?:'s)? (?:mailbox|account|inbox|user|is|has)\b/i,
    /\b(?:disabled|suspended|locked|inactive|deactivated|over|full|rate|restricted)/i,
  ],
  [
    /\b(?:can(?:no|')t|can not|(?:does|do|is|are) not|isn't|doesn't|unable to|no longer) (?:receiv|accept)(?:e|es|ing)? (?:new |any |any more )?(?:mail|e-?mails?|messages)\b/i,
  ],
  [
    /^<?\uE000>?[:.]{0,3} (?:the |this )?(?:e-?mail )?(?:account|user|mailbox)?\s?(?:is|was|has been) (?:disabled|suspended|locked|inactive|deactivated|blocked)/i,
  ],
  [
    /\b(?:account|user|mailbox|recipient) (?:of |for )?["'<(]{0,2}\uE000[>"')]{0,2},? (?:is|was|has been) (?:disabled|suspended|locked|inactive|deactivated|blocked)/i,
  ],
];
const OURS = /\b(?:your|sender|sending|outgoing|outbound)\b/i;

/** A group or a mailbox that takes mail from some alone: Exchange asks for a sign-in, and means that recipient. */
const RESTRICTED = /\bresolver\.rst\./i;
const RESTRICTED_CODES = ['5.7.124', '5.7.133', '5.7.134', '5.7.135', '5.7.136'];
/** What a server says of one recipient and would not of another. */
const NAMED =
  /\brecipient (?:address )?(?:was |is )?(?:rejected|refused|invalid|blocked|not allowed)\b|\brecipient address must\b|\b(?:invalid|bad|malformed|illegal) (?:recipient|rcpt to|(?:e-?mail )?address)\b|\brecipient\b.{0,20}\bsuppression list\b|\bmailbox (?:unavailable|name not allowed)\b|\b(?:callout|recipient|address) (?:verify|verification) (?:callout )?failed\b|\bverify recipient\b/i;

const isRestricted = ({ words, enhanced }: Refusal): boolean =>
  RESTRICTED.test(words) || (enhanced !== null && RESTRICTED_CODES.includes(enhanced));

/** By its words, by the codes for an address that can't be read, or by the address itself: no one's account is meant by it. */
const isRecipientNamed = ({ words, code, enhanced }: Refusal): boolean =>
  [501, 510, 511].includes(code) ||
  NAMED.test(words) ||
  // 5.7 is about whoever sends: the address beside it is only repeated.
  (words.includes(RECIPIENT) && enhanced?.startsWith('5.7.') !== true);

/** A rule that someone wrote for letters, at whatever step it is said: Exchange's, whose name for it never changes. */
const RULE = /\btransport\.rules\.rejectmessage\b/i;

/** What is said where all forms of one row are found. A reply is short, so it does not matter how far apart they exist. */
type Said = readonly (readonly RegExp[])[];
const isSaid = (rows: Said, words: string): boolean =>
  rows.some((row) => row.every((form) => form.test(words)));

/** How much one sends: of a period, or of a limit with its name. Providers say it in the language of their customers. */
const QUOTA: Said = [
  [/\b(?:per|an|each|every) (?:hour|day|minute|month)\b|\/(?:hour|day|min)\b/i],
  [
    /\bpro (?:stunde|tag|minute|monat)\b|\bpar (?:heure|jour)\b|\bpor (?:hora|d[ií]a)\b|all'ora\b|\bal giorno\b/i,
  ],
  [
    /\b(?:hourly|daily|monthly|sending|sent|outgoing|outbound|submission|rate)\b/i,
    /\b(?:limits?|quotas?|allowance)\b/i,
  ],
  [/\b(?:message|recipient) (?:rate )?(?:limit|quota)/i],
  [/\btoo many (?:e-?mails|messages|mails|letters)\b|\bthrottl/i],
  [/(?:sende|versand|tages|stunden|mail)-?(?:limit|kontingent|quota)/i],
  [/limit|kontingent|quota/i, /erreicht|überschritten|ausgeschöpft/i],
  [/(?:limite|quota) d'envoi|(?:l[ií]mite|cuota|cota) de env[ií]o|limite di invio|verzendlimiet/i],
  [/trop de (?:messages|mails|courriels)|demasiados (?:mensajes|correos)|troppi messaggi|te veel berichten/i],
];
/** A limit, but of the letter, or of the mailbox it was for. */
const SIZE = /\bsize\b|\btoo (?:large|big)\b/i;
/** Google counts a day's letters as congestion; the others are Exchange's own. */
const QUOTA_CODES = ['5.4.5', '5.1.90', '5.7.28', '5.7.232', '5.7.233'];

const isQuota = (words: string, enhanced: string | null): boolean =>
  (isSaid(QUOTA, words) && !SIZE.test(words)) || (enhanced !== null && QUOTA_CODES.includes(enhanced));

/** qmail calls the list of domains that it takes mail for so. */
const RELAY = /\brelay|\brcpthosts\b/i;
const SIGN_IN: Said = [
  [/\bauth\b|\bauthenti/i, /\b(?:required|needed|erforderlich|requise|must|not|first)\b/i],
  [/\b(?:must|not|first)\b/i, /\blog(?:ged)?[ -]?in\b/i],
];
const SENDER: Said = [
  [
    /\bsender\b(?!\.)/i,
    /reject|refus|denied|\bnot (?:owned|allowed|permitted|authori)|invalid|mismatch|\bverif(?:y|ication) failed\b/i,
  ],
  [/\bnot owned by|\bsend as\b|sendasdenied|\bon behalf of|\bfrom address|\b(?:envelope|header) from\b/i],
  [/absender/i, /nicht|abgelehnt|ungültig|unzulässig/i],
];
const SENDER_CODES = ['5.1.7', '5.1.8', '5.7.27', '5.7.60'];
/** An account, or all that leaves it, and what was done to it. */
const SHUT: Said = [
  [
    /\b(?:account|user|domain|mailbox|service|sending|outgoing|konto|versand)\b/i,
    /\b(?:suspend|disabled|locked|deactivat|gesperrt|deaktiviert)/i,
  ],
];

function troubleIn({ words, stage, code, enhanced, verdict }: Refusal): SenderTrouble | null {
  const cause = verdict.diagnostic_class;
  if (isQuota(words, enhanced) || cause === 'rate') return 'quota';
  if (RELAY.test(words)) return 'relay_refused';
  if (isSaid(SIGN_IN, words)) return 'credentials';
  const isOfSender = (enhanced !== null && SENDER_CODES.includes(enhanced)) || isSaid(SENDER, words);
  if (isOfSender || (stage === 'mail' && code === 553)) return 'sender_refused';
  // Our domain's records, our machine and our account are every letter's.
  return isSaid(SHUT, words) || cause === 'authentication' || cause === 'blocked' ? 'refused' : null;
}

/** A size is announced with the sender. Everything else about a letter is known once it was given over, and not before. */
function contentIn({ words, stage, code, enhanced, verdict }: Refusal): DiagnosticClass | null {
  const cause = verdict.diagnostic_class ?? 'unspecified';
  if (code === 552 || enhanced === '5.3.4' || enhanced === '5.2.3') return 'too_big';
  if (enhanced?.startsWith('5.6.')) return 'content';
  if (RULE.test(words)) return 'policy';
  if (stage !== 'final') return null;
  return verdict.kind === 'policy' ? cause : 'policy';
}
