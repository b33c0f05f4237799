// Drafts a letter from a step and a person, with its Message-ID and fingerprint, in the state the campaign’s review policy gives
// it (domain.md §1.5). Callers hold the prospect’s row.
import type { Principal } from '../../../../kernel/caller.ts';
import type { Transaction } from '../../../../kernel/database.ts';
import { newId } from '../../../../kernel/ids.ts';
import { principalColumns } from '../../../../kernel/principal-row.ts';
import { newMessageId, referencesTo, replySubject } from '../../../../mail/compose/thread.ts';
import { fingerprintOf } from '../letter/fingerprint.ts';
import { asksForEdited, pickIdentity, reviewReason } from '../letter/review.rules.ts';
import { writeFacts } from '../letter/save.store.ts';
import type { SendState } from '../letter/transitions.rules.ts';
import { insertLetter } from '../letter/transitions.store.ts';
import {
  pairKey,
  type Post,
  type DraftSender,
  senderOf,
  type Source,
  sourcesOf,
  wordsOfStep,
} from './source.store.ts';

export type Drafting = {
  prospect_id: string;
  step_id: string;
  /** When its step is due. */
  scheduled_for: Date;
};

export type Drafted =
  | { drafted: true; send_id: string; state: SendState; readdressed: boolean }
  /**
   * `readdressed`: no one who may enrol chose the address that it goes to. `exists`: this step has its letter. `pool_empty`: no one active sends for the campaign. `no_address`: the person has
   * none. `ended`, `gone`: the prospect is over, or it or the step is not there.
   */
  | { drafted: false; why: 'exists' | 'pool_empty' | 'no_address' | 'ended' | 'gone' };

/** Drafts the letter of one step to one prospect, and pins the identity with the first one. */
export async function draftLetter(
  tx: Transaction,
  post: Post,
  { prospect_id, step_id, scheduled_for }: Drafting,
  by: Principal,
  now: Date,
): Promise<Drafted> {
  const pair = { prospect_id, step_id };
  const source = (await sourcesOf(tx, [pair])).get(pairKey(pair));
  if (!source) return { drafted: false, why: 'gone' };
  if (source.ended !== null) return { drafted: false, why: 'ended' };
  if (!source.to) return { drafted: false, why: 'no_address' };
  const identity_id = source.pinned ?? pickIdentity(source.pool, prospect_id);
  const sender = identity_id === null ? null : await senderOf(tx, identity_id);
  if (!sender) return { drafted: false, why: 'pool_empty' };
  const id = newId();
  const threads = threadOf(source);
  const { unresolved, fields_used, subject, text, html } = wordsOfStep(source, sender, id, post);
  const said = { subject: threads.subject ?? subject, text, html };
  const fingerprint = fingerprintOf({
    ...said,
    from: sender,
    to_address: source.to.address,
    cc: [],
    attachments: source.attachments,
  });
  const review_reason = reviewReason(source.policy, {
    prospect_id,
    step_id,
    first_touch: source.first_touch,
    changed: asksForEdited(fields_used, source.edited),
    before: source.before,
    sender_loosened: isLoosened(sender, source),
    campaign_loosened: source.campaign_loosened,
  });
  const state = await insertLetter(
    tx,
    {
      id,
      kind: 'sequence',
      campaign_id: source.campaign_id,
      prospect_id,
      person_id: source.person_id,
      step_id,
      identity_id: sender.id,
      ...said,
      to_address: source.to.address,
      to_hash: source.to.hash,
      enrolled_hash: source.enrolled_hash,
      same_thread: threads.same_thread,
      message_id: newMessageId(sender.domain),
      in_reply_to: threads.in_reply_to,
      message_references: threads.references,
      sequence_revision: source.policy.sequence_revision,
      unresolved,
      ...principalColumns(tx, 'created_by', by),
    },
    { fingerprint, scheduled_for },
    { kind: 'queue', review_reason },
    now,
  );
  if (state === null) return { drafted: false, why: 'exists' };
  await keepAttachments(tx, id, source.attachments);
  if (source.pinned === null)
    await tx`update prospects set identity_id = ${sender.id}, updated_at = ${now} where id = ${prospect_id}`;
  await writeFacts(tx, [id], { kind: 'drafted', details: { to: state, review_reason } }, { by, now });
  const readdressed = source.enrolled_hash !== null && source.enrolled_hash !== source.to.hash;
  return { drafted: true, send_id: id, state, readdressed };
}

/** Someone without wire changed the sender since the campaign's policy was bound. */
export const isLoosened = ({ loosened_at }: DraftSender, { review_bound_at }: Source): boolean =>
  loosened_at !== null && (review_bound_at === null || loosened_at > review_bound_at);

export type OneOff = {
  id: string;
  person_id: string;
  sender: DraftSender;
  to: { address: string; hash: string };
  words: { subject: string; text: string; html: string | null; unresolved: string[] };
  scheduled_for: Date;
};

/** A single letter, into review. */
export async function insertOneOff(
  tx: Transaction,
  { id, person_id, sender, to, words, scheduled_for }: OneOff,
  by: Principal,
  now: Date,
): Promise<void> {
  const fingerprint = fingerprintOf({
    ...words,
    from: sender,
    to_address: to.address,
    cc: [],
    attachments: [],
  });
  const queue = { kind: 'queue', review_reason: 'one_off' } as const;
  const state = await insertLetter(
    tx,
    {
      id,
      kind: 'one_off',
      person_id,
      identity_id: sender.id,
      ...words,
      to_address: to.address,
      to_hash: to.hash,
      message_id: newMessageId(sender.domain),
      ...principalColumns(tx, 'created_by', by),
    },
    { fingerprint, scheduled_for },
    queue,
    now,
  );
  await writeFacts(tx, [id], { kind: 'drafted', details: { to: state } }, { by, now });
}

/** A step in the thread answers the letter before, under its subject; another subject is a thread of its own. */
function threadOf({ step, parent }: Source) {
  if (!step.same_thread || !parent)
    return { same_thread: false, subject: null, in_reply_to: null, references: [] };
  const { message_references: references, ...letter } = parent;
  return {
    same_thread: true,
    subject: replySubject(parent.subject),
    in_reply_to: parent.message_id,
    references: referencesTo({ ...letter, references }),
  };
}

export async function keepAttachments(
  tx: Transaction,
  send_id: string,
  attachments: readonly { id: string }[],
): Promise<void> {
  if (attachments.length === 0) return;
  await tx`insert into send_attachments ${tx(
    attachments.map(({ id }, position) => ({ send_id, attachment_id: id, position })),
  )}`;
}
