// Replies of mailing list software to someone who may not post. Two signs are required: the sender is an address of
// the list, and a header names such software. It says nothing about any person’s address.
import { addressesIn, recipientOf } from './addresses.ts';
import { blankDraft } from './notice.ts';
import { first } from './fields.ts';
import type { Fields } from './fields.ts';
import { PARTS } from './limits.ts';
import type { Report } from './report.ts';
import { serverWords } from './words.ts';

const PROGRAMS = [
  'x-mlserver',
  'x-mailman-version',
  'x-list-administrivia',
  'x-listserver',
  'x-listar-version',
  'x-ecartis-version',
  'x-sympa-to',
  'x-majordomo',
  'mailing-list',
  'list-id',
  'list-help',
];

/** Not who posts: a list hands on its members' letters from their own addresses, or from the list's. */
const DESK = /^owner-|[-+.](?:admin|owner|request|bounces|ctl|help)@/i;

const ANSWERS: readonly (readonly [Pick<Report, 'kind' | 'diagnostic_class'>, RegExp])[] = [
  [
    { kind: 'policy', diagnostic_class: 'sender_refused' },
    /\bnot (?:(?:a|currently|subscribed) ){0,2}(?:member|subscriber)\b|\bnot subscribed to\b|\b(?:only|restricted to) (?:its )?(?:members|subscribers)\b|\bnon-?members? (?:is |are )?not (?:allowed|permitted)\b/i,
  ],
  [
    { kind: 'soft', diagnostic_class: 'system' },
    /\bduplicated? message-id\b|\bloop (?:alert|detected)\b|\bmail(?:ing)? loop\b/i,
  ],
];

const READ_CHARS = 2_000;

/** The one report of such an answer; none where it is anything else that a list sends. */
export function readListAnswer(header: Fields, subject: string, prose: string): Report[] {
  const from = recipientOf(first(header, 'from'));
  if (from === null || !DESK.test(from) || !PROGRAMS.some((name) => header.has(name))) return [];
  const said = prose.slice(0, READ_CHARS);
  const found = ANSWERS.find(([, form]) => form.test(`${subject.slice(0, 500)}\n${said}`));
  if (found === undefined) return [];
  const ours = ['to', 'delivered-to'].flatMap((name) => addressesIn(first(header, name) ?? '', PARTS));
  const list = addressesIn(said, PARTS).find((each) => each !== from && !ours.includes(each)) ?? null;
  const { recipient, original_recipient, action, host } = blankDraft(list);
  return [
    {
      ...found[0],
      recipient,
      original_recipient,
      action,
      host,
      status: null,
      smtp_code: null,
      said: serverWords(said.trim().split(/\r?\n\s*\r?\n/, 1)[0] ?? ''),
      feedback_type: null,
      original_message_id: null,
    },
  ];
}
