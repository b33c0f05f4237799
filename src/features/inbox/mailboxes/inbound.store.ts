// Mail as it came in, stored before anyone has read what it means. Safe to repeat: what is known under its key is not
// written twice, whatever number or folder the source gives it the second time.
import { createHash } from 'node:crypto';
import type { Transaction } from '../../../kernel/database.ts';
import { newId } from '../../../kernel/ids.ts';
import { messageIdIn } from './head.rules.ts';

/** Notifies that mail waits to be landed. */
export const MAIL_IN = 'mail_in';

export type FolderRole = 'inbox' | 'sent' | 'junk';

export type Inbound = {
  /** Where it came from and what it is there: `mailKey` of its bytes, or the vendor's id of it. */
  key: string;
  source: 'imap' | 'vendor';
  identity_id: string | null;
  folder_role: FolderRole;
  delivered_to: readonly string[];
  bytes: Buffer;
  /** The source held more. */
  cut: boolean;
  received_at: Date;
  /** Why it cannot be read, in our own words; null for all that can. */
  broken: string | null;
};

/** By what it says, not by its number: the same mail under another number, or moved to another folder, is the same. */
export const mailKey = (identity_id: string, bytes: Buffer): string =>
  `imap:${identity_id}:${createHash('sha256').update(bytes).digest('hex')}`;

/** Whether it was new. Whoever commits it tells MAIL_IN then. */
export async function storeInbound(tx: Transaction, mail: Inbound, now: Date): Promise<boolean> {
  const { key, source, identity_id, folder_role, delivered_to, bytes, cut, received_at, broken } = mail;
  const rows = await tx`
    insert into inbound_mails (id, key, source, identity_id, folder_role, delivered_to, bytes, size_bytes, cut, message_id,
      received_at, state, note, due_at, settled_at)
    values (${newId()}, ${key}, ${source}, ${identity_id}, ${folder_role}, ${[...delivered_to]}, ${bytes},
      ${bytes.byteLength}, ${cut}, ${messageIdIn(bytes)}, ${received_at}, ${broken === null ? 'new' : 'broken'}, ${broken},
      ${broken === null ? now : null}, ${broken === null ? null : now})
    on conflict (key) do nothing returning id`;
  return rows.length > 0;
}
