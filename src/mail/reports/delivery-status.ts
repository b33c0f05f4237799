// The message/delivery-status part (RFC 3464): one block about the message, then one per recipient.
import { hostOf, recipientOf } from './addresses.ts';
import { first, readBlocks } from './fields.ts';
import type { Fields } from './fields.ts';
import { RECIPIENTS } from './limits.ts';
import type { Action, DiagnosticClass } from './report.ts';

/** What is known of one recipient before it is judged. */
export type Draft = {
  recipient: string | null;
  original_recipient: string | null;
  action: Action | null;
  stated: string | null;
  diagnostic: string;
  /** The cause that the reporter itself filed this under. */
  filed: DiagnosticClass | null;
  host: string | null;
};

const ACTIONS: readonly string[] = ['failed', 'delayed', 'delivered', 'relayed', 'expanded'];

/** Recipients in order. Blocks that name neither a recipient nor a fate are the message's own. */
export function readDeliveryStatus(text: string): { drafts: Draft[]; truncated: boolean } {
  const { blocks, truncated } = readBlocks(text, RECIPIENTS + 1);
  const message = blocks.find((block) => block.has('reporting-mta'));
  const reporter = hostOf(message && first(message, 'reporting-mta'));
  const drafts = blocks.filter(isAboutRecipient).map((block) => draftOf(block, reporter));
  return { drafts: drafts.slice(0, RECIPIENTS), truncated: truncated || drafts.length > RECIPIENTS };
}

const isAboutRecipient = (block: Fields): boolean =>
  block.has('final-recipient') ||
  block.has('original-recipient') ||
  block.has('x-actual-recipient') ||
  (block.has('action') && block.has('status'));

function draftOf(block: Fields, reporter: string | null): Draft {
  const final = recipientOf(first(block, 'final-recipient'));
  const original = recipientOf(first(block, 'original-recipient'));
  const actual = recipientOf(first(block, 'x-actual-recipient'));
  const recipient = final ?? actual ?? original;
  return {
    recipient,
    original_recipient: original === recipient ? null : original,
    action: actionOf(first(block, 'action')),
    stated: /(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?!\d)/.exec(first(block, 'status') ?? '')?.[1] ?? null,
    diagnostic: (block.get('diagnostic-code') ?? []).join('\n').replace(/^\s*[\w-]{1,40}\s*;\s*/, ''),
    filed:
      CATEGORIES.get((first(block, 'x-powermta-bouncecategory') ?? '').toLowerCase()) ??
      (isProgram(first(block, 'final-recipient')) ? 'system' : null),
    host: hostOf(first(block, 'remote-mta')) ?? reporter,
  };
}

/** Not an address but what takes its mail, a program or a file: that failed, and the address lives. */
const isProgram = (field: string | undefined): boolean =>
  /^\s{0,9}(?:[\w-]{1,20}\s{0,9};)?\s{0,9}["']?[|/]/.test(field ?? '');

/** What PowerMTA, which many senders relay through, files bounces under. */
const CATEGORIES: ReadonlyMap<string, DiagnosticClass> = new Map<string, DiagnosticClass>([
  ['bad-mailbox', 'no_such_address'],
  ['bad-domain', 'no_such_host'],
  ['inactive-mailbox', 'mailbox_inactive'],
  ['quota-issues', 'mailbox_full'],
  ['message-expired', 'expired'],
  ['no-answer-from-host', 'network'],
  ['bad-connection', 'network'],
  ['routing-errors', 'network'],
  ['spam-related', 'spam'],
  ['spam-block', 'blocked'],
  ['virus-related', 'malware'],
  ['content-related', 'content'],
  ['policy-related', 'policy'],
  ['relaying-issues', 'relay'],
  ['invalid-sender', 'sender_refused'],
]);

function actionOf(field: string | undefined): Action | null {
  const word = /^\s*([a-z]+)/i.exec(field ?? '')?.[1]?.toLowerCase() ?? '';
  return ACTIONS.includes(word) ? (word as Action) : null;
}
