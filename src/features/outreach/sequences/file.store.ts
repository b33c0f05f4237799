// A file that letters carry, kept once: its bytes, what they come to, and whose letters may carry it: those of a campaign's steps,
// or the answers of a conversation.
import { createHash } from 'node:crypto';
import type { Transaction } from '../../../kernel/database.ts';
import { newId } from '../../../kernel/ids.ts';
import { invalid } from '../../../kernel/refusal.ts';
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
    throw invalid('file_base64 is not valid base64: encode the whole file, with padding', {
      file_base64: 'file_base64 is no base64',
    });
  if (bytes.length > ATTACHMENT_MAX_BYTES)
    throw invalid(`a file can be at most ${ATTACHMENT_MAX_BYTES} bytes; this one is ${bytes.length}`, {
      file_base64: 'file_base64: too large',
    });
  const says = unfit(filename, media_type);
  if (says !== null) throw invalid(says, { filename: says });
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const kept = { id: newId(), filename, media_type, size_bytes: bytes.length, sha256 };
  await tx`insert into attachments ${tx({ ...kept, bytes, ...home, created_at: now })}`;
  return kept;
}

/** What would forge a header, or change the letter around it, never becomes an attachment. */
function unfit(filename: string, media_type: string): string | null {
  if (/\p{Cc}|[\u2028\u2029/\\]/u.test(filename))
    return 'filename must be a plain name, without a path or line breaks';
  return /^(multipart|message)\//i.test(media_type)
    ? 'media_type must be the type of a file, not of a message part'
    : null;
}
