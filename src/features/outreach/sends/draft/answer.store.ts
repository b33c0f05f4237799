// An answer as a letter. It needs no campaign, and sending it approves it.
import { newId } from '../../../../kernel/ids.ts';
import type { Principal } from '../../../../kernel/caller.ts';
import type { Transaction } from '../../../../kernel/database.ts';
import { principalColumns } from '../../../../kernel/principal-row.ts';
import { newMessageId } from '../../../../mail/compose/thread.ts';
import { keepAttachments } from './draft.store.ts';
import { fingerprintOf } from '../letter/fingerprint.ts';
import { writeFacts } from '../letter/save.store.ts';
import { insertLetter } from '../letter/transitions.store.ts';
import type { DraftSender, Source } from './source.store.ts';

export type AnswerLetter = {
  thread_id: string;
  person_id: string | null;
  sender: DraftSender;
  to: { address: string; hash: string };
  cc: readonly { address: string; hash: string }[];
  words: { subject: string; text: string; html: string | null };
  attachments: Source['attachments'];
  in_reply_to: string | null;
  /** The message that its words end with. */
  quotes_touch: string | null;
  references: readonly string[];
  /** The earliest moment at which it may start. */
  starts_at: Date;
};

/** On its way, by the word of whoever sends it; `token` carried that word, null: a session. Gives the letter's id. */
export async function insertAnswer(
  tx: Transaction,
  { sender, to, cc, words, attachments, starts_at, references, ...answer }: AnswerLetter,
  { by, token }: { by: Principal; token: string | null },
  now: Date,
): Promise<string> {
  const id = newId();
  const copies = cc.map(({ address }) => address);
  const fingerprint = fingerprintOf({
    ...words,
    from: sender,
    to_address: to.address,
    cc: copies,
    attachments,
  });
  const approval = {
    ...principalColumns(tx, 'approved_by', by),
    approved_at: now,
    approved_fingerprint: fingerprint,
    approved_token: token,
  };
  await insertLetter(
    tx,
    {
      id,
      kind: 'answer',
      ...answer,
      ...words,
      identity_id: sender.id,
      to_address: to.address,
      to_hash: to.hash,
      cc: copies,
      cc_hashes: cc.map(({ hash }) => hash),
      same_thread: true,
      message_id: newMessageId(sender.domain),
      message_references: [...references],
      ...principalColumns(tx, 'created_by', by),
    },
    { fingerprint, ...approval, scheduled_for: starts_at },
    { kind: 'queue', review_reason: null },
    now,
  );
  await keepAttachments(tx, id, attachments);
  await writeFacts(tx, [id], { kind: 'answer_sent', details: { fingerprint, starts_at } }, { by, now });
  return id;
}
