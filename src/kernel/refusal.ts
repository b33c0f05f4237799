// The one expected error that handlers, rules and entry points throw. It rolls back the transaction and becomes the answer.
// Anything else that is thrown is a fault: status 500, logged under an id, without showing its text.
import type { Transaction } from './database.ts';

/** Error codes of the REST surface (domain.md §4.4). */
export const REFUSAL_CODES = [
  'unauthorized',
  'code_required',
  'policy_denied',
  'wire_required',
  'scripts_required',
  'token_cannot_mint',
  'people_only',
  'agent_turn',
  'session_only',
  'step_up_required',
  'invalid',
  'not_found',
  'conflict',
  'too_large',
  'rate_limited',
  'unavailable',
] as const;
export type RefusalCode = (typeof REFUSAL_CODES)[number];

export type RefusalDetails = {
  /** Every bad field of a 400 at once: name to sentence. */
  fields?: Record<string, string>;
  /** Whole seconds to wait, with 429. */
  retry_after?: number;
  [key: string]: unknown;
};

/** A refusal is read at a glance, whatever someone is called whose name is in it. */
const SENTENCE_CHARS = 300;

const bounded = (sentence: string): string =>
  sentence.length < SENTENCE_CHARS
    ? sentence
    : `${sentence
        .slice(0, SENTENCE_CHARS - 2)
        .toWellFormed()
        .replace(/\ufffd$/u, '')}…`;

export class Refusal extends Error {
  readonly status: number;
  readonly code: RefusalCode;
  readonly details: RefusalDetails | undefined;
  /** See `keeping`. */
  keeps: ((tx: Transaction) => Promise<void>) | null = null;

  /** `sentence` is product copy: one sentence under 300 characters, never text from a database or a third party's error. */
  constructor(status: number, code: RefusalCode, sentence: string, details?: RefusalDetails) {
    super(bounded(sentence));
    this.name = 'Refusal';
    this.status = status;
    this.code = code;
    this.details = details;
  }

  get sentence(): string {
    return this.message;
  }

  /**
   * What stays although the act is refused: a failed sign-in counts. It is written and committed in the act's own
   * transaction, under the locks that the act holds, so only an act that has written nothing yet may throw this.
   */
  keeping(work: (tx: Transaction) => Promise<void>): this {
    this.keeps = work;
    return this;
  }
}

/** A rule gives a refusal or null; a handler throws it here. */
export function stop(refusal: Refusal | null): void {
  if (refusal) throw refusal;
}

export const invalid = (sentence: string, fields?: Record<string, string>): Refusal =>
  new Refusal(400, 'invalid', sentence, fields && { fields });

/** A 404 that `notFound` has no words for. */
export const notThere = (sentence: string): Refusal => new Refusal(404, 'not_found', sentence);

/** `how` says what lists or finds them: "GET /api/agents lists agents". */
export const notFound = (noun: string, how: string, by = 'id'): Refusal =>
  notThere(`no ${noun} has that ${by}: ${how}`);

export const conflict = (sentence: string, details?: RefusalDetails): Refusal =>
  new Refusal(409, 'conflict', sentence, details);

/** `noun` with its article: "a template". */
export const nameTaken = (noun: string, by = 'name'): Refusal =>
  conflict(`${noun} with that ${by} already exists`);

/** The guard of every change that names the revision it was made on. `what` begins the sentence: "this deal". */
export const changedSince = (
  what: string,
  revision: number,
  details: RefusalDetails = { revision },
): Refusal =>
  conflict(
    `${what} changed since you read it: the current revision is ${revision}. Re-read it and retry against that.`,
    details,
  );
