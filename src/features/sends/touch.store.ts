// Letters that an edit reaches before they start: of a sequence's steps, or of the identity that signs them. They are made
// anew, lose their approval, and go to review where the law says so (domain.md §1.2): an edit by somebody without wire must
// not put words on the wire that nobody has read.
import type { Principal } from '../../kernel/caller.ts';
import type { Transaction } from '../../kernel/ground.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { keepAttachments } from './draft.store.ts';
import { fingerprintOf } from './fingerprint.ts';
import { letterIn, type SendRow } from './row.ts';
import { letterColumns, writeFacts } from './save.store.ts';
import { lockRows } from './send.store.ts';
import { ruleSend } from './send.rules.ts';
import {
  filesOf,
  pairKey,
  type Post,
  type Sender,
  senderOf,
  type Source,
  sourcesOf,
  wordsOfStep,
} from './source.store.ts';

export type Edit = {
  /** Whoever made it could approve letters: a session, or a token with wire. */
  by_wire: boolean;
  by: Principal;
  now: Date;
};

/** Letters whose steps were edited; those that somebody has rewritten keep their words. Gives how many changed. */
export async function lettersTouchedBySequence(
  tx: Transaction,
  post: Post,
  { campaign_id, step_ids }: { campaign_id: string; step_ids: readonly string[] },
  edit: Edit,
): Promise<number> {
  const rows = await tx<{ id: string }[]>`
    select id from sends where campaign_id = ${campaign_id} and step_id = any(${[...step_ids]}::uuid[])
      and state in ('drafted', 'review', 'scheduled', 'held') and rewritten_by_kind is null order by id`;
  return await remake(tx, post, rows, edit);
}

/** Letters whose sender's name, address, reply address or signature was edited. Gives how many changed. */
export async function lettersTouchedByIdentity(
  tx: Transaction,
  post: Post,
  identity_id: string,
  edit: Edit,
): Promise<number> {
  if (!edit.by_wire) await tx`update identities set loosened_at = ${edit.now} where id = ${identity_id}`;
  const rows = await tx<{ id: string }[]>`
    select id from sends where identity_id = ${identity_id} and kind <> 'answer'
      and state in ('drafted', 'review', 'scheduled', 'held') order by id`;
  return await remake(tx, post, rows, edit);
}

/** So many at once, whatever the campaign's size. */
const CHUNK = 200;

async function remake(tx: Transaction, post: Post, found: readonly { id: string }[], edit: Edit) {
  let changed = 0;
  const senders = new Map<string, Sender | null>();
  for (let at = 0; at < found.length; at += CHUNK) {
    const rows = await lockRows(
      tx,
      found.slice(at, at + CHUNK).map(({ id }) => id),
    );
    const sources = await sourcesOf(
      tx,
      rows.flatMap(({ prospect_id, step_id }) => (prospect_id && step_id ? [{ prospect_id, step_id }] : [])),
    );
    for (const { identity_id } of rows)
      if (identity_id !== null && !senders.has(identity_id))
        senders.set(identity_id, await senderOf(tx, identity_id));
    const files = await filesOf(
      tx,
      rows.map(({ id }) => id),
    );
    const made = rows.map((row) => {
      const source = sources.get(pairKey({ prospect_id: row.prospect_id ?? '', step_id: row.step_id ?? '' }));
      const sender = senders.get(row.identity_id ?? '') ?? null;
      return saidAnew(row, { source, sender, files: files.get(row.id) ?? [], post });
    });
    const other = made.filter(({ row, fingerprint }) => fingerprint !== row.fingerprint);
    await Promise.all(other.map((each) => writeAnew(tx, each, edit)));
    const ids = other.map(({ row }) => row.id);
    await writeFacts(tx, ids, { kind: 'made_anew', details: { by_wire: edit.by_wire } }, edit);
    changed += ids.length;
  }
  return changed;
}

type Anew = {
  row: SendRow;
  /** What goes with it now, where that is the step's to say; null: its files stay. */
  files: Source['attachments'] | null;
  words: Partial<Pick<SendRow, 'subject' | 'text' | 'html' | 'unresolved'>>;
  revision: number | null;
  fingerprint: string;
};

/** A letter of a step says what the step says now; every other keeps its words under its sender's present name. */
function saidAnew(
  row: SendRow,
  of: { source: Source | undefined; sender: Sender | null; files: Source['attachments']; post: Post },
): Anew {
  const { source, sender, files, post } = of;
  const rewritten = row.rewritten_by_kind !== null || row.kind !== 'sequence';
  if (!source || !sender || rewritten) {
    const fingerprint = fingerprintOf({ ...row, from: sender, attachments: files });
    return { row, files: null, words: {}, revision: null, fingerprint };
  }
  const { unresolved, subject, text, html } = wordsOfStep(source, sender, row.id, post);
  const said = { subject: row.same_thread ? row.subject : subject, text, html };
  const { attachments } = source;
  const fingerprint = fingerprintOf({ ...row, ...said, from: sender, attachments });
  const revision = source.policy.sequence_revision;
  return { row, files: attachments, words: { ...said, unresolved }, revision, fingerprint };
}

async function writeAnew(
  tx: Transaction,
  { row, files, words, revision, fingerprint }: Anew,
  { by_wire, now }: Edit,
): Promise<void> {
  const review_reason = row.review_reason ?? (by_wire ? null : 'sequence_changed');
  const letter = ruleSend(letterIn(row), { kind: 'change', fingerprint, review_reason }, now);
  if (letter instanceof Refusal) return;
  await tx`
    update sends set ${tx({
      ...words,
      ...(revision !== null && { sequence_revision: revision }),
      ...letterColumns(tx, letter),
      revision: row.revision + 1,
      updated_at: now,
    })} where id = ${row.id}`;
  if (files === null) return;
  await tx`delete from send_attachments where send_id = ${row.id}`;
  await keepAttachments(tx, row.id, files);
}
