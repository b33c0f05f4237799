// Letters that an edit reaches before they start: of a sequence's steps, of the identity that signs them, or of what their
// campaign puts into them. They are made again, lose their approval, and go to review where the law says so (domain.md §1.2): an edit by someone without wire must
// not put words on the wire that no one has read.
import type { Transaction } from '../../../../kernel/database.ts';
import type { Lease } from '../../../../kernel/pass.ts';
import { relink, unsubscribeUrl } from '../../unsubscribes/token.ts';
import { isLoosened, keepAttachments } from './draft.store.ts';
import { fingerprintOf } from '../letter/fingerprint.ts';
import {
  beginRemaking,
  type Edit,
  keepRemaking,
  type Of,
  stillRemaking,
  type Unfinished,
  waitingLetters,
} from './remake.store.ts';
import { addressTaken } from './address.store.ts';
import { asksForEdited } from '../letter/review.rules.ts';
import type { SendRow } from '../letter/row.ts';
import { writeFacts } from '../letter/save.store.ts';
import { lockRows } from '../letter/send.store.ts';
import { isUnstarted } from '../letter/send.rules.ts';
import { moveLetters } from '../letter/transitions.store.ts';
import {
  filesOf,
  pairKey,
  type Post,
  type DraftSender,
  senderOf,
  type Source,
  sourcesOf,
  wordsOfStep,
} from './source.store.ts';

/** Letters whose steps were edited; those that someone has rewritten keep their words. Gives how many changed. */
export async function lettersTouchedBySequence(
  tx: Transaction,
  post: Post,
  { campaign_id, step_ids }: { campaign_id: string; step_ids: readonly string[] },
  edit: Edit,
): Promise<number> {
  const rows = await tx<{ id: string }[]>`
    select id from sends where campaign_id = ${campaign_id} and step_id = any(${[...step_ids]}::uuid[])
      and state in ('drafted', 'review', 'scheduled', 'held') and rewritten_by_kind is null order by id`;
  let changed = 0;
  for (let at = 0; at < rows.length; at += CHUNK) {
    const ids = rows.slice(at, at + CHUNK).map(({ id }) => id);
    changed += await remake(tx, post, await lockRows(tx, ids), edit);
  }
  return changed;
}

/**
 * Letters whose sender's name, address, reply address or signature was edited: the first of them at once, the rest by the pass
 * (re-render.pass.ts). Gives how many changed at once.
 */
export async function lettersTouchedByIdentity(
  tx: Transaction,
  post: Post,
  identity_id: string,
  edit: Edit,
): Promise<number> {
  if (!edit.by_wire) await tx`update identities set loosened_at = ${edit.now} where id = ${identity_id}`;
  return await remakeFirst(tx, post, { of_kind: 'identity', of_id: identity_id }, edit);
}

/**
 * The same of letters whose campaign has another name, goal, postal address or unsubscribe text. `foot`: every letter says it; what a
 * step must ask for counts only where one does. Whoever calls holds the campaign's row.
 */
export async function lettersTouchedByCampaign(
  tx: Transaction,
  post: Post,
  { campaign_id, foot }: { campaign_id: string; foot: boolean },
  edit: Edit,
): Promise<number> {
  if (!edit.by_wire)
    await tx`
      update campaigns set loosened_at = ${edit.now} where id = ${campaign_id} and (${foot} or exists (
        select from sequence_steps s where s.campaign_id = campaigns.id and s.removed_at is null
          and concat(s.subject, s.text, s.html) like '%campaign%'))`;
  return await remakeFirst(tx, post, { of_kind: 'campaign', of_id: campaign_id }, edit);
}

/** So many at once, whatever waits. */
const CHUNK = 200;

async function remakeFirst(tx: Transaction, post: Post, of: Of, edit: Edit): Promise<number> {
  const { rows, after } = await lockSome(tx, of, null);
  // Letters come before this row in the order of locks.
  const counting = await beginRemaking(tx, of, edit);
  const changed = await remake(tx, post, rows, counting, of.of_kind);
  await keepRemaking(tx, of.of_id, after);
  return changed;
}

/**
 * A letter that was tried and goes once more: its link leads where the instance is by now, and who approved it signed for another.
 * Its other words stay. It is locked, and moved already.
 */
export async function letterGoesOnceMore(
  tx: Transaction,
  app: Post,
  row: SendRow,
  { by, now }: Pick<Edit, 'by' | 'now'>,
): Promise<boolean> {
  const base_url = (await addressTaken(tx)) ?? app.instance.base_url;
  const post = { ...app, instance: { ...app.instance, base_url } };
  const url = unsubscribeUrl(post, row.id);
  if ([row.text, row.html ?? ''].every((words) => relink(words, url, row.id) === words)) return false;
  const sender = row.identity_id === null ? null : await senderOf(tx, row.identity_id);
  const files = (await filesOf(tx, [row.id])).get(row.id) ?? [];
  const anew = saidAnew(row, { source: undefined, sender, files, post });
  await writeAnew(tx, { ...anew, unread: false, relinked: row.approved_by_kind !== null }, now);
  await writeFacts(tx, [row.id], { kind: 'made_anew', details: { reason: 'base_url_changed' } }, { by, now });
  return true;
}

/** The next letters of an edit that is not done. */
export async function rerenderMore(tx: Transaction, post: Post, of: Unfinished, lease: Lease): Promise<void> {
  const { rows, after } = await lockSome(tx, of, of.after);
  const edit = await stillRemaking(tx, lease, of.of_id);
  if (!edit) return;
  // A process that was started with another address leaves its letters to those that know the present one.
  if (of.of_kind === 'instance' && (await addressTaken(tx)) !== post.instance.base_url) return;
  await remake(tx, post, rows, edit, of.of_kind);
  await keepRemaking(tx, of.of_id, after);
}

/** `after`: the last of these; null: there are no more behind them. */
async function lockSome(tx: Transaction, of: Of, behind: string | null) {
  const ids = await waitingLetters(tx, of, behind, CHUNK + 1);
  const some = ids.slice(0, CHUNK);
  return { rows: await lockRows(tx, some), after: ids.length > CHUNK ? (some.at(-1) ?? null) : null };
}

async function remake(
  tx: Transaction,
  post: Post,
  rows: readonly SendRow[],
  edit: Edit,
  edited: 'steps' | Of['of_kind'] = 'steps',
): Promise<number> {
  const senders = new Map<string, DraftSender | null>();
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
  const made = rows
    // Someone was quicker and it has started, or is over.
    .filter(({ state }) => isUnstarted(state))
    .map((row) => {
      const source = sources.get(pairKey({ prospect_id: row.prospect_id ?? '', step_id: row.step_id ?? '' }));
      const sender = senders.get(row.identity_id ?? '') ?? null;
      const unread = isUnread(edit, edited, source, sender);
      const anew = saidAnew(row, { source, sender, files: files.get(row.id) ?? [], post });
      const relinked = edited === 'instance' && row.approved_by_kind !== null;
      return { ...anew, unread, relinked };
    });
  const other = made.filter(({ row, fingerprint }) => fingerprint !== row.fingerprint);
  await Promise.all(other.map((each) => writeAnew(tx, each, edit.now)));
  const ids = other.map(({ row }) => row.id);
  const reason = edited === 'instance' ? { reason: 'base_url_changed' } : {};
  await writeFacts(tx, ids, { kind: 'made_anew', details: { by_wire: edit.by_wire, ...reason } }, edit);
  return ids.length;
}

/**
 * Whether it says by now what no one has read who could approve it: by this edit, or by one before that had not come to it. Where
 * no letter is read, an edit of the campaign makes the confirmation stale, and gate 5 holds them all for a new one.
 */
function isUnread(
  { by_wire }: Edit,
  edited: 'steps' | Of['of_kind'],
  source: Source | undefined,
  sender: DraftSender | null,
): boolean {
  const confirmed = source?.policy.review_policy === 'none';
  if (source && sender && isLoosened(sender, source)) return true;
  if (source?.campaign_loosened && !confirmed) return true;
  return !by_wire && !(edited === 'campaign' && confirmed);
}

type Anew = {
  row: SendRow;
  /** What goes with it now, where that is the step's to say; null: its files stay. */
  files: Source['attachments'] | null;
  words: Partial<Pick<SendRow, 'subject' | 'text' | 'html' | 'unresolved'>>;
  revision: number | null;
  fingerprint: string;
  unread: boolean;
  /** It was approved with links that led elsewhere. */
  relinked: boolean;
  /** It says what someone without wire edited at its person, and the policy wants that read. */
  isEdited: boolean;
};

/** A letter of a step says what the step says now; every other keeps its words under its sender's present name. */
function saidAnew(
  row: SendRow,
  of: { source: Source | undefined; sender: DraftSender | null; files: Source['attachments']; post: Post },
): Omit<Anew, 'unread' | 'relinked'> {
  const { source, sender, files, post } = of;
  const url = unsubscribeUrl(post, row.id);
  const rewritten = row.rewritten_by_kind !== null || row.kind !== 'sequence';
  if (!source || !sender || rewritten) {
    const words = { text: relink(row.text, url, row.id), html: row.html && relink(row.html, url, row.id) };
    const fingerprint = fingerprintOf({ ...row, ...words, from: sender, attachments: files });
    return { row, files: null, words, revision: null, fingerprint, isEdited: false };
  }
  const { unresolved, fields_used, subject, text, html } = wordsOfStep(source, sender, row.id, post);
  const said = { subject: row.same_thread ? row.subject : subject, text, html };
  const { attachments } = source;
  const fingerprint = fingerprintOf({ ...row, ...said, from: sender, attachments });
  const revision = source.policy.sequence_revision;
  const isEdited = source.policy.review_policy === 'changed' && asksForEdited(fields_used, source.edited);
  return { row, files: attachments, words: { ...said, unresolved }, revision, fingerprint, isEdited };
}

async function writeAnew(
  tx: Transaction,
  { row, files, words, revision, fingerprint, unread, relinked, isEdited }: Anew,
  now: Date,
): Promise<void> {
  const review_reason = relinked
    ? 'base_url_changed'
    : (row.review_reason ?? (unread ? 'sequence_changed' : isEdited ? 'changed' : null));
  const change = { kind: 'change', fingerprint, review_reason } as const;
  const moved = await moveLetters(tx, [row.id], change, now, {
    ...words,
    ...(revision !== null && { sequence_revision: revision }),
  });
  if (files === null || moved.length === 0) return;
  await tx`delete from send_attachments where send_id = ${row.id}`;
  await keepAttachments(tx, row.id, files);
}
