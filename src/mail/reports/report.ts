// What a piece of machine mail says, in our own words: the shape that every reader in this folder returns, and the
// one table from a cause to the kind it counts as. Of the stranger’s text only `said` is kept, as data to show.

/** How a report counts: `hard`, `soft`, `policy` and `complaint` against a recipient or a sender, the rest against no one. */
export type ReportKind = 'hard' | 'soft' | 'policy' | 'complaint' | 'delivered' | 'automatic';

/** The action field of a delivery status (RFC 3464 §2.3.3). */
export type Action = 'failed' | 'delayed' | 'delivered' | 'relayed' | 'expanded';

const HARD = ['no_such_address', 'no_such_host', 'moved', 'accepts_no_mail'] as const;
const SOFT = ['mailbox_full', 'mailbox_inactive', 'expired', 'network', 'system', 'busy'] as const;
const POLICY = [
  'blocked',
  'authentication',
  'spam',
  'malware',
  'content',
  'too_big',
  'relay',
  'sender_refused',
  'rate',
  'filtered',
  'policy',
] as const;

/** Why, in our words. `unspecified`: the report gave a verdict and no cause that we know. */
export type DiagnosticClass =
  | (typeof HARD)[number]
  | (typeof SOFT)[number]
  | (typeof POLICY)[number]
  | 'unspecified';

const KINDS: ReadonlyMap<string, 'hard' | 'soft' | 'policy'> = new Map([
  ...HARD.map((each) => [each, 'hard'] as const),
  ...SOFT.map((each) => [each, 'soft'] as const),
  ...POLICY.map((each) => [each, 'policy'] as const),
]);

/** The kind a cause counts as; null when it has none of its own. */
export const kindOf = (cause: DiagnosticClass): 'hard' | 'soft' | 'policy' | null => KINDS.get(cause) ?? null;

export type Report = {
  kind: ReportKind;
  /** The address that the report is about, its domain in lower case; null when none was given or it was redacted. */
  recipient: string | null;
  /** The address that the letter was sent to, where forwarding made it another than `recipient`. */
  original_recipient: string | null;
  action: Action | null;
  /** The enhanced code (RFC 3463) that the judgement rests on: `5.1.1`. */
  status: string | null;
  /** The receiver's reply code: `550`. */
  smtp_code: string | null;
  diagnostic_class: DiagnosticClass | null;
  /** What the receiver, or else the reporter, wrote of this recipient (words.ts). */
  said: string | null;
  /** Of a complaint: `abuse`, `fraud`, `auth-failure`, … in lower case (RFC 5965 and its registry). */
  feedback_type: string | null;
  /** The Message-ID of the letter that this is about, without its angle brackets. */
  original_message_id: string | null;
  /** The machine that refused, or that reports: a host name in lower case. */
  host: string | null;
};

/** Which header says that no person wrote this, in the order in which they are believed. */
export type AutomaticSignal = 'auto_submitted' | 'responder_header' | 'null_return_path' | 'subject';

export type ReadReport = {
  /**
   * `bounce`: at least one recipient was not reached. `receipt`: all were. `complaint`: someone complained.
   * `automatic`: an absence notice or the like. `none`: nothing here says that a machine wrote it.
   */
  kind: 'bounce' | 'receipt' | 'complaint' | 'automatic' | 'none';
  automatic: AutomaticSignal | null;
  reports: Report[];
  /** Where this report itself was sent to, most trustworthy first: a VERP address is among them. */
  addressed_to: string[];
  /** The Message-IDs that this may be about, most trustworthy first. */
  original_message_ids: string[];
  /** More was written than is read: see the limits in `limits.ts`. */
  truncated: boolean;
};

/** A complaint that a person made: it suppresses. A `not-spam` or an `auth-failure` report is about a letter, by a machine. */
export const isPersonsComplaint = (report: Report): boolean =>
  report.kind === 'complaint' && !MACHINE_FEEDBACK.has(report.feedback_type ?? '');

const MACHINE_FEEDBACK: ReadonlySet<string> = new Set(['auth-failure', 'dmarc', 'virus']);
