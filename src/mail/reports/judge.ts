// One recipient's fate, judged. What the receiver says in words counts before what its code says, the receiver's own code
// before the reporter's, and in doubt the milder reading: a living address that is struck off costs more than a letter.
//
//   delivered, relayed, expanded          → delivered
//   delayed, 4.x.x, 4yz                   → soft; given up with words that blame the sender: policy
//   5.7.x                                 → policy, unless the words name a state of the mailbox
//   a cause in words, else in the code    → what the cause counts as
//   failed with 5.x.x and no known cause  → hard
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
  const inReply =
    enhancedCodeIn(said) ?? (stated === null || isGeneric(stated) ? enhancedCodeIn(told) : null);
  const smtp_code = replyCodeIn(said) ?? replyCodeIn(told);
  const status = mostTelling(stated, inReply);
  const base = { action, status, smtp_code };
  if (isReached(action, status)) return { ...base, kind: 'delivered', diagnostic_class: null };
  const text = `${said}\n${told}`;
  const words = classOfWords(said) ?? (tellsNothing(said, status) ? classOfWords(told) : null);
  const cause = words ?? filed ?? classOfCodes(inReply, stated) ?? 'unspecified';
  return {
    ...base,
    ...weigh({ ...base, stated, cause, inWords: words !== null, text, filed, stage: stage ?? stageIn(text) }),
  };
}

const isReached = (action: Action | null, status: string | null): boolean =>
  action === 'delivered' || action === 'relayed' || action === 'expanded' || (!action && status?.[0] === '2');

function mostTelling(stated: string | null, inReply: string | null): string | null {
  if (stated === null || inReply === null) return stated ?? inReply;
  return isGeneric(stated) || classOfStatus(stated) === 'expired' ? inReply : stated;
}

const tellsNothing = (said: string, status: string | null): boolean =>
  said.trim() === '' || status === null || isGeneric(status);

function classOfCodes(inReply: string | null, stated: string | null): DiagnosticClass | null {
  return (
    (inReply === null ? null : classOfStatus(inReply)) ?? (stated === null ? null : classOfStatus(stated))
  );
}

type Weighed = Omit<Verdict, 'kind' | 'diagnostic_class'> & {
  stated: string | null;
  cause: DiagnosticClass;
  inWords: boolean;
  text: string;
  stage: Stage | null;
  filed: DiagnosticClass | null;
};

function weigh(found: Weighed): Pick<Verdict, 'kind' | 'diagnostic_class'> {
  const { cause, inWords, status } = found;
  const kind = kindOf(cause);
  const passes = isTemporary(found);
  if (kind === 'soft' && !(isSecurity(status) && !isOfMailbox(cause) && !passes))
    return { kind, diagnostic_class: cause };
  if (kind === 'policy')
    return {
      kind: passes && !(inWords && found.action !== 'delayed') ? 'soft' : kind,
      diagnostic_class: cause,
    };
  if (isSecurity(status)) return { kind: passes ? 'soft' : 'policy', diagnostic_class: 'policy' };
  if (passes) return { kind: 'soft', diagnostic_class: cause };
  if (kind === null) return { kind: isFinal(found) ? 'hard' : 'soft', diagnostic_class: cause };
  return ofAddress(found);
}

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
function ofAddress({
  cause,
  status,
  smtp_code,
  text,
  stage,
  filed,
}: Weighed): Pick<Verdict, 'kind' | 'diagnostic_class'> {
  // Refused before any recipient was named: it is the sender whom they do not want, or believe.
  if (stage === 'connect' || stage === 'mail') return { kind: 'policy', diagnostic_class: 'sender_refused' };
  // Filters hide behind the words for an unknown user. Believed are a code that says so, a refusal of RCPT, and a reporter
  // who asked no other server; not a reply of which nobody says what it answered, nor one that leaves the name out.
  const isOfAddress =
    status?.startsWith('5.1.') === true ||
    stage === 'rcpt' ||
    filed === 'no_such_address' ||
    (smtp_code === null && status !== '5.2.1') ||
    NO_ACCOUNT.test(text);
  if (cause === 'no_such_address' && (!isOfAddress || NAMELESS.test(text)))
    return { kind: 'policy', diagnostic_class: 'filtered' };
  return { kind: 'hard', diagnostic_class: cause };
}

/** Those who look the account up only after DATA say whose it is not. */
const NO_ACCOUNT = /(?:does ?n[o']t|does not) have an? \S{3,100} account/i;

/** `550 : User unknown`: where this form has its address there is none. */
const NAMELESS = /\b5\d\d(?: 5\.\d\.\d{1,3})?\s{1,8}: /;

const isSecurity = (status: string | null): boolean => status !== null && /^\d\.7\./.test(status);
const isOfMailbox = (cause: DiagnosticClass): boolean =>
  cause === 'mailbox_full' || cause === 'mailbox_inactive';

const isTemporary = ({ action, status, smtp_code }: Weighed): boolean =>
  action === 'delayed' || (status === null ? smtp_code?.[0] === '4' : status[0] === '4');

const isFinal = ({ stated, action }: Weighed): boolean =>
  stated?.[0] === '5' && (action === 'failed' || action === null);
