// A file that letters carry, kept once: its bytes, what they come to, and the conversation whose answers alone may carry it. One
// that was uploaded for a campaign's steps and that none carries is one of so many, and goes after a day.
import { createHash } from 'node:crypto';
import { after, DAY_MS } from '../../kernel/clock.ts';
import type { Reader, Transaction } from '../../kernel/ground.ts';
import { newId } from '../../kernel/ids.ts';
import { invalid } from '../../kernel/refusal.ts';
import { ATTACHMENT_MAX_BYTES, type Attachment } from './contract.ts';

type Given = { filename: string; media_type: string; file_base64: string };

/** Whose letters may carry it. */
type Home = { campaign_id: string } | { thread_id: string };

/** Refuses what is no file, is too large, or would forge a header. */
export async function keepFile(
  tx: Transaction,
  { filename, media_type, file_base64 }: Given,
  home: Home,
  now: Date,
): Promise<Attachment> {
  const bytes = Buffer.from(file_base64, 'base64');
  if (bytes.toString('base64') !== file_base64)
    throw invalid('file_base64 is no base64: encode the whole file, with its padding', {
      file_base64: 'file_base64 is no base64',
    });
  if (bytes.length > ATTACHMENT_MAX_BYTES)
    throw invalid(`a file has at most ${ATTACHMENT_MAX_BYTES} bytes, this one has ${bytes.length}`, {
      file_base64: 'file_base64: too large',
    });
  const says = unfit(filename, media_type);
  if (says !== null) throw invalid(says, { filename: says });
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const kept = { id: newId(), filename, media_type, size_bytes: bytes.length, sha256 };
  await tx`insert into attachments ${tx({ ...kept, bytes, ...home, created_at: now })}`;
  return kept;
}

/** No step that stands carries it. A letter that was drafted keeps its files, whatever becomes of its step. */
const unnamed = (db: Reader) => db`
  f.thread_id is null and not exists (select from send_attachments s where s.attachment_id = f.id) and not exists (
    select from step_attachments w join sequence_steps st on st.id = w.step_id
    where w.attachment_id = f.id and st.removed_at is null)`;

/** Under the campaign's lock, so that two uploads at once are counted one after the other. */
export async function unnamedIn(tx: Transaction, campaign_id: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from attachments f where f.campaign_id = ${campaign_id} and ${unnamed(tx)}`;
  return row?.count ?? 0;
}

const KEPT_MS = DAY_MS;
/** What is left over goes the next time. */
const FORGOTTEN_AT_ONCE = 1_000;

/**
 * One that somebody names just now is locked and passed over (`attachmentsAmong`). Asked again once they are locked: a step may
 * have been saved with one in between, and no other can be from here on.
 */
export async function forgetUnnamed(tx: Transaction, now: Date): Promise<void> {
  const rows = await tx<{ id: string }[]>`
    select f.id from attachments f where f.created_at <= ${after(now, -KEPT_MS)} and ${unnamed(tx)}
    order by f.id limit ${FORGOTTEN_AT_ONCE} for update skip locked`;
  const gone = await tx<{ id: string }[]>`
    select f.id from attachments f where f.id = any(${rows.map(({ id }) => id)}::uuid[]) and ${unnamed(tx)}`;
  const ids = gone.map(({ id }) => id);
  await tx`delete from step_attachments where attachment_id = any(${ids}::uuid[])`;
  await tx`delete from attachments where id = any(${ids}::uuid[])`;
}

/** What would forge a header, or change the letter around it, never becomes an attachment. */
function unfit(filename: string, media_type: string): string | null {
  if (/\p{Cc}|[\u2028\u2029/\\]/u.test(filename))
    return 'filename: a plain name, without a path or line breaks';
  return /^(multipart|message)\//i.test(media_type)
    ? 'media_type: a file of its own, not a part of a message'
    : null;
}
