// Decides one recipient’s outcome. The receiver’s words take precedence over its code, the receiver’s code over the
// reporter’s, and when in doubt the milder reading wins: suppressing a working address costs more than one letter.
//
//   delivered, relayed, expanded          → delivered
//   delayed, 4.x.x, 4yz                   → soft; given up with words that blame the sender: policy
//   5.7.x                                 → policy, unless the words name a state of the mailbox, or its domain's null MX
//   a cause in words, else in the code    → what the cause counts as
//   failed with 5.x.x and nothing said    → hard
//   a bare no                             → of the address under 5.1.x and in our own session at RCPT, else policy
//   said in words that name no cause      → hard under 5.1.x; policy before and after RCPT, and where they lead to a page or
//                                           name who connected; else soft
//   no code and no known cause            → soft
import { classOfStatus, enhancedCodeIn, isGeneric, replyCodeIn } from './codes.ts';
import { DIAGNOSTIC_CHARS } from './limits.ts';
import { classOfWords } from './phrases.ts';
import { kindOf } from './report.ts';
import type { Action, DiagnosticClass, Report } from './report.ts';
import { stageIn } from './stage.ts';
import type { Stage } from './stage.ts';

export type Evidence = {
  action: Action | null;
  /** The status field of a delivery status, if there is one. */
  stated: string | null;
  /** What the receiver said about this recipient. */
  diagnostic: string;
  /** What else the report says about it: its prose, a transcript. Asked only for what the diagnostic leaves open. */
  prose: string;
  /** The cause under which a reporter filed it. */
  filed: DiagnosticClass | null;
  /** Where it is known at which step the receiver refused; null reads it from the words. */
  stage: Stage | null;
};

export type Verdict = Pick<Report, 'action' | 'status' | 'smtp_code' | 'diagnostic_class'> & {
  kind: 'hard' | 'soft' | 'policy' | 'delivered';
};

export function judge({ action, stated, diagnostic, prose, filed, stage }: Evidence): Verdict {
  const said = diagnostic.slice(0, DIAGNOSTIC_CHARS);
  const told = prose.slice(0, DIAGNOSTIC_CHARS);
  const smtp_code = replyCodeIn(said) ?? replyCodeIn(told);
  const inReply =
    enhancedCodeIn(said) ??
    (stated === null || isGeneric(stated) ? ofClass(smtp_code, enhancedCodeIn(told)) : null);
  const status = mostTelling(stated, inReply);
  const base = { action, status, smtp_code };
  if (isReached(action, status)) return { ...base, kind: 'delivered', diagnostic_class: null };
  const text = `${said}\n${told}`;
  const asked =
    stage === 'rcpt' || (status !== null && status.startsWith('5.1.') && !SENDERS.includes(status));
  const coded = classOfCodes(inReply, stated);
  // Codes of the system and of the letter; 5.3.0 says no more than that it was the system.
  const outweighs = /^5\.[36]\./.test(status ?? '') ? (coded ?? 'system') : null;
  const words =
    classOfWords(said, asked, outweighs) ??
    (tellsNothing(said, status) ? behind(said, classOfWords(told, asked, outweighs)) : null);
  const found = words ?? filed ?? coded ?? 'unspecified';
  // X.3.1 is the receiver's disk, which says nothing of the mailbox.
  const cause = found === 'mailbox_full' && /^\d\.3\.1$/.test(status ?? '') ? 'system' : found;
  return {
    ...base,
    ...weigh({
      ...base,
      stated,
      inReply,
      cause,
      inWords: words !== null,
      said,
      told,
      text,
      filed,
      stage: stage ?? stageIn(text),
    }),
  };
}

/** A reporter ends with words of its own, "Service unavailable": they pass for nothing where the receiver gave its own. */
const behind = (said: string, cause: DiagnosticClass | null): DiagnosticClass | null =>
  isSaid(said) && (cause === 'system' || cause === 'busy' || isBarePage(said)) ? null : cause;

/** A page and nothing else: of what is read there no one knows, and no code condemns for it. */
const isBarePage = (said: string): boolean =>
  LINK.test(said) && !isSaid(said.replace(/https?:\/\/[^\s<>]{1,500}/gi, ' '));

/** A transcript holds other replies too: one of another class is not what the receiver said of this. */
const ofClass = (reply: string | null, status: string | null): string | null =>
  reply === null || status?.[0] === reply[0] ? status : null;

const isReached = (action: Action | null, status: string | null): boolean =>
  action === 'delivered' || action === 'relayed' || action === 'expanded' || (!action && status?.[0] === '2');

function mostTelling(stated: string | null, inReply: string | null): string | null {
  if (stated === null || inReply === null) return stated ?? inReply;
  return isGeneric(stated) || classOfStatus(stated) === 'expired' ? inReply : stated;
}

const tellsNothing = (said: string, status: string | null): boolean =>
  said.trim() === '' || status === null || (isGeneric(status) && !status.startsWith('5.6.'));

function classOfCodes(inReply: string | null, stated: string | null): DiagnosticClass | null {
  return (
    (inReply === null ? null : classOfStatus(inReply)) ?? (stated === null ? null : classOfStatus(stated))
  );
}

type Judged = Pick<Verdict, 'kind' | 'diagnostic_class'>;

type Weighed = Omit<Verdict, keyof Judged> & {
  stated: string | null;
  inReply: string | null;
  cause: DiagnosticClass;
  inWords: boolean;
  said: string;
  told: string;
  text: string;
  stage: Stage | null;
  filed: DiagnosticClass | null;
};

function weigh(found: Weighed): Judged {
  const { cause, inWords } = found;
  const kind = kindOf(cause);
  const passes = isTemporary(found);
  if (isOfLetter(found)) return { kind: 'policy', diagnostic_class: 'policy' };
  if (kind === 'soft' && !(isSecurity(found) && !isOfMailbox(cause) && !passes))
    return { kind, diagnostic_class: cause };
  if (kind === 'policy')
    return {
      kind: passes && !(inWords && found.action !== 'delayed') ? 'soft' : kind,
      diagnostic_class: cause,
    };
  if (isSecurity(found) && !isNullMxOfRecipient(found))
    return { kind: passes ? 'soft' : 'policy', diagnostic_class: 'policy' };
  if (passes) return { kind: 'soft', diagnostic_class: cause };
  if (!inWords && isBarePage(found.said)) return { kind: 'policy', diagnostic_class: 'policy' };
  return kind === null ? ofNoCause(found) : ofAddress(found);
}

/** The code speaks where nothing was said. What was said and is not understood may mean anything, and condemns no one. */
function ofNoCause(found: Weighed): Judged {
  const { said, stage, status, smtp_code } = found;
  const isRefused = (status ?? smtp_code)?.[0] === '5';
  if (isRefused && stage === 'data') return { kind: 'policy', diagnostic_class: 'policy' };
  if (isRefused && (stage === 'connect' || stage === 'mail'))
    return { kind: 'policy', diagnostic_class: 'sender_refused' };
  if (!isFinal(found)) {
    // In prose alone, whatever its language: what happens to an address needs no page to explain it.
    const isNoCode = status === null && smtp_code === null && found.action === null;
    const isPolicy = isNoCode && LINK.test(found.text);
    return isPolicy
      ? { kind: 'policy', diagnostic_class: 'policy' }
      : { kind: 'soft', diagnostic_class: 'unspecified' };
  }
  const isCondemned = !isSaid(said) || status?.startsWith('5.1.') === true;
  if (!isCondemned && POINTS_ELSEWHERE.test(said)) return { kind: 'policy', diagnostic_class: 'policy' };
  return { kind: isCondemned ? 'hard' : 'soft', diagnostic_class: 'unspecified' };
}

const LINK = /https?:\/\//i;

/** Who explains on a page, or names the machine that connected, turns away who sends. */
const POINTS_ELSEWHERE = /https?:\/\/|\b5\d\d\b.{0,300}\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b/is;

/** More than codes and an address. */
const isSaid = (said: string): boolean =>
  said.split(/\s+/).some((word) => !word.includes('@') && /\p{L}{3}/u.test(word));

/** 5.7.27 is the sender's null MX (RFC 7505); Sendmail files under it, of itself, that the receiving domain has one. */
const isNullMxOfRecipient = ({ cause, status, inReply }: Weighed): boolean =>
  cause === 'accepts_no_mail' && status === '5.7.27' && inReply === null;

/** A refusal in our own session counts as one that is reported: `reply` is its text with its codes. 4yz is to be retried. */
export const judgeReply = (reply: string, stage: Stage): Verdict =>
  judge({
    action: /^\s*4/.test(reply) ? 'delayed' : 'failed',
    stated: null,
    diagnostic: reply,
    prose: '',
    filed: null,
    stage,
  });

/** The cause condemns an address, if what refused was asked about the address. */
function ofAddress({ cause, action, status, smtp_code, said, told, text, stage, filed }: Weighed): Judged {
  // Refused before any recipient was named, or under a code for senders: it is the sender whom they do not want, or believe.
  const isOfSender = status !== null && SENDERS.includes(status);
  if (stage === 'connect' || stage === 'mail' || isOfSender)
    return { kind: 'policy', diagnostic_class: 'sender_refused' };
  // Filters hide behind the words for an unknown user. Believed are a code that says so, a refusal of RCPT, and a reporter
  // who asked no other server, or states no code of its own; not a reply of which no one says what it answered, nor one
  // that leaves the name out.
  const isOfAddress =
    (status !== null && /^5\.(?:1\.|4\.4$|4\.310$)/.test(status)) ||
    (stage === 'rcpt' && cause !== 'no_such_host') ||
    filed === cause ||
    (smtp_code === null && status !== '5.2.1') ||
    (action === 'failed' && status === null && stage !== 'data' && NAMES_WHOM.test(said)) ||
    ASKED_OF_ADDRESS.test(text) ||
    (NAMED_BY_REPORTER.test(told) && !HEARD.test(text));
  if (cause === 'no_such_address' && (!isOfAddress || NAMELESS.test(text)))
    return { kind: 'policy', diagnostic_class: 'filtered' };
  // A receiver is at home in the recipient's domain: when it finds none, it speaks of another, unless it says whose.
  if (cause === 'no_such_host' && !isOfAddress && !/\b(?:recipient|destination)\b/i.test(said))
    return { kind: 'policy', diagnostic_class: 'sender_refused' };
  return { kind: 'hard', diagnostic_class: cause };
}

/** RFC 3463 §3.2 keeps these for the sender's address. */
const SENDERS: readonly string[] = ['5.1.7', '5.1.8'];

/** A field set that gives someone up states no code of its own: the receiver's reply is all there is, and says of whom. */
const NAMES_WHOM = /^[^\n@]{0,100}@/;

/** What only a lookup of the address says: Yahoo's after DATA, Exim's of a route, and Exchange Online's at its edge. */
const ASKED_OF_ADDRESS =
  /(?:does ?n[o']t|does not) have an? \S{3,100} account|\bunroute?able address|5\.4\.1\b.{0,20}recipient address rejected: access denied/is;

/** A transcript's own line about the recipient; where no reply was heard, no one else was asked. */
const NAMED_BY_REPORTER = /(?:^|\n)5\d\d <[^<>\s]{1,320}>\.\.\. /;
const HEARD = /(?:^|\n)<<< /;

/** `550 : User unknown`: where this form has its address there is none. */
const NAMELESS = /\b5\d\d(?: 5\.\d\.\d{1,3})?\s{1,8}: /;

/** 5.7.x, whether the receiver or only the reporter wrote it. */
const isSecurity = ({ status, inReply }: Weighed): boolean =>
  /^\d\.7\./.test(status ?? '') || /^\d\.7\./.test(inReply ?? '');

const isOfMailbox = (cause: DiagnosticClass): boolean =>
  cause === 'mailbox_full' || cause === 'mailbox_inactive';

/** The receiver's own 4.x.x or 4yz outlasts the generic 5.x.x under which a reporter gave up. */
const isTemporary = ({ action, status, smtp_code, inReply }: Weighed): boolean =>
  action === 'delayed' ||
  inReply?.[0] === '4' ||
  status?.[0] === '4' ||
  (smtp_code?.[0] === '4' && (status === null || isGeneric(status)));

/** The letter ended in a no that elsewhere means a command was not understood: behind the letter is no command. */
const isOfLetter = ({ smtp_code, cause, stage, action }: Weighed): boolean =>
  action !== 'delayed' && stage === 'data' && cause === 'system' && /^50[0234]$/.test(smtp_code ?? '');

const isFinal = ({ stated, action }: Weighed): boolean =>
  stated?.[0] === '5' && (action === 'failed' || action === null);
