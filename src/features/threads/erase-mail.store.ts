// What mail as it came holds of somebody who is erased: what they wrote, what names them, and what has come and is not read yet.
import type { Transaction } from '../../kernel/ground.ts';
import { conflict } from '../../kernel/refusal.ts';
import type { Mailbox } from './erase-beside.store.ts';

type Piece = ReturnType<Transaction>;

/** Head and body as they came, in small letters, with what quoted-printable took apart put together. */
const readable = (tx: Transaction): Piece => tx`
  replace(replace(regexp_replace(lower(encode(m.bytes, 'escape')), '=\r?\n', '', 'g'), '=40', '@'), '=2e', '.')`;

/** What stands packed in base64, by blocks between empty lines, and of each as many letters as make whole bytes. */
const unpacked = (tx: Transaction): Piece => tx`
  coalesce((
    select string_agg(lower(encode(decode(case length(b.packed) % 4
        when 0 then b.packed when 1 then left(b.packed, -1) when 2 then b.packed || '==' else b.packed || '=' end, 'base64'), 'escape')), ' ')
    from regexp_split_to_table(encode(m.bytes, 'escape'), '\r?\n\r?\n') as part,
      lateral (select regexp_replace(substring(part from '^[A-Za-z0-9+/\r\n]{8,}'), '[\r\n]', '', 'g') as packed) b
    where b.packed is not null), '')`;

/** Who it says that it is from: the header, with the lines that go on with it. */
const from = (tx: Transaction): Piece => tx`
  coalesce(substring(split_part(regexp_replace(lower(encode(m.bytes, 'escape')), '\r', '', 'g'), E'\n\n', 1)
    from '(?n)^from:.*(?:\n[ \t].*)*'), '')`;

const STILL_READ =
  'mail that names this person has just come and is not read yet: try again in a minute, when it stands in its conversation';

/**
 * Mail that has come and did not land: what they wrote goes at once. What others wrote is theirs, and loses what it quotes only
 * where it stands in a conversation; so while any of it waits, nothing is erased.
 */
export async function settleUnread(tx: Transaction, { addresses }: Mailbox, now: Date): Promise<void> {
  if (addresses.length === 0) return;
  const patterns = addresses.map(wholeAddress);
  await tx`
    update inbound_mails m set bytes = '', size = 0, delivered_to = '{}', message_id = null, state = 'ignored',
      note = 'Whoever wrote it was erased.', settled_at = ${now}, lease = null, lease_until = null, due_at = null
    where m.state = 'new' and ${from(tx)} ~ any(${patterns}::text[])`;
  const [waits] = await tx`
    select 1 from inbound_mails m where m.state = 'new'
      and (${readable(tx)} ~ any(${patterns}::text[]) or ${unpacked(tx)} ~ any(${patterns}::text[])) limit 1`;
  if (waits) throw conflict(STILL_READ, { retry_after: 60 });
}

/** The mail as it came; and mail of theirs that stands in no conversation, of which nothing is left to be placed. */
export async function eraseMail(
  tx: Transaction,
  { addresses, hashes }: Mailbox,
  said: readonly string[],
): Promise<void> {
  await tx`
    update inbound_mails m set bytes = '', size = 0, delivered_to = '{}', message_id = null, from_address = null,
      from_name = null, from_hash = null, from_domain = null, subject = ''
    from touches x where x.id = any(${[...said]}::uuid[]) and m.id = x.raw_ref`;
  // Copies of ours to them that lay in a Sent folder, and what came twice.
  await tx`
    update inbound_mails m set bytes = '', size = 0, delivered_to = '{}', from_address = null, from_name = null, from_hash = null,
      from_domain = null, subject = ''
    where m.touch_id is null and m.state <> 'new' and m.message_id = any(array(
      select btrim(x.message_id, '<>') from touches x where x.id = any(${[...said]}::uuid[])))`;
  await tx`
    update inbound_mails set bytes = '', size = 0, delivered_to = '{}', message_id = null, from_address = null,
      from_name = null, from_hash = null, from_domain = null, subject = '', note = 'Whoever wrote it was erased.',
      state = case when state in ('quarantined', 'broken') then 'ignored' else state end
    where touch_id is null and from_hash = any(${[...hashes]}::text[])`;
  await tx`delete from quarantine_rules where value_hash = any(${[...hashes]}::text[])`;
  const patterns = addresses.map(wholeAddress);
  // Of mail that stands in no conversation only the bytes say whom else it names: among whom it went to, or in a report.
  await tx`
    update inbound_mails m set bytes = '', size = 0, delivered_to = '{}', note = 'Somebody whom it names was erased.',
      state = case when state in ('quarantined', 'broken') then 'ignored' else state end
    where m.touch_id is null and m.state <> 'new' and m.size > 0
      and (${readable(tx)} ~ any(${patterns}::text[]) or ${unpacked(tx)} ~ any(${patterns}::text[]))`;
}

/** A pattern of PostgreSQL for an address that is no part of a longer one, in bytes as `encode` escapes them. */
function wholeAddress(address: string): string {
  const escaped = [...Buffer.from(address.toLowerCase())]
    .map((byte) => (byte < 128 ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`))
    .join('');
  return `(^|[^a-z0-9._%+-])${escaped.replaceAll(/[^a-z0-9]/g, '\\$&')}($|[^a-z0-9.-]|\\.($|[^a-z0-9]))`;
}
