// What mail as it came holds of someone who is erased: what they wrote, what names them, and what has come and is not read yet.
import type { Transaction } from '../../../../kernel/database.ts';
import { conflict } from '../../../../kernel/refusal.ts';
import type { ErasedMailbox } from './erase-beside.store.ts';

type Piece = ReturnType<Transaction>;

/** As it came, in small letters: ASCII alone, by whose rules it takes much less time. */
const spelling = (tx: Transaction): Piece => tx`lower(encode(m.bytes, 'escape') collate "C")`;

/** Head and body as they came, in small letters, with what quoted-printable took apart put together. */
const readable = (tx: Transaction): Piece => tx`
  replace(replace(replace(replace(${spelling(tx)}, E'\r', ''), E'=\n', ''), '=40', '@'), '=2e', '.')`;

/** What is packed in base64, by blocks between empty lines, and of each as many letters as make whole bytes. */
const unpacked = (tx: Transaction): Piece => tx`
  coalesce((
    select string_agg(lower(encode(decode(case length(b.packed) % 4
        when 0 then b.packed when 1 then left(b.packed, -1) when 2 then b.packed || '==' else b.packed || '=' end, 'base64'), 'escape') collate "C"), ' ')
    from string_to_table(case when strpos(${spelling(tx)}, 'base64') > 0 then replace(encode(m.bytes, 'escape'), E'\r', '') end,
        E'\n\n') as part,
      lateral (select replace(substring(part from '^[A-Za-z0-9+/\n]{8,}'), E'\n', '') as packed) b
    where b.packed is not null), '')`;

/** Whether one of these addresses is in it. Looked for as it is first: a pattern takes much longer over a large mail. */
const names = (tx: Transaction, text: Piece, addresses: readonly string[]): Piece => tx`(
  select case when exists (select from unnest(${addresses.map(spelt)}::text[]) a where strpos(x.text, a) > 0)
    then x.text ~ any(${addresses.map(wholeAddress)}::text[]) else false end
  from (select ${text} as text offset 0) x)`;

/** Who it says that it is from: the header, with the lines that go on with it. */
const from = (tx: Transaction): Piece => tx`
  coalesce(substring(split_part(replace(${spelling(tx)}, E'\r', ''), E'\n\n', 1)
    from '(?n)^from:.*(?:\n[ \t].*)*'), '')`;

/** What one statement unpacks at once; a mail is never longer than a part of it. */
const PIECE_BYTES = 32 * 1024 * 1024;
const PIECE_MAILS = 500;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Mails that are to be looked into, in pieces that one statement can take. `which`: of `inbound_mails m`. */
export async function* inPieces(
  tx: Transaction,
  which: Piece,
  most: { bytes: number; mails: number } = { bytes: PIECE_BYTES, mails: PIECE_MAILS },
): AsyncGenerator<string[]> {
  let last = FIRST_ID;
  for (;;) {
    const rows = await tx<{ id: string }[]>`
      select p.id from (
        select n.id, sum(n.size_bytes) over (order by n.id) as upto, row_number() over (order by n.id) as nth
        from (select m.id, m.size_bytes from inbound_mails m where ${which} and m.id > ${last}
          order by m.id limit ${most.mails}) n) p
      where p.nth = 1 or p.upto <= ${most.bytes} order by p.id`;
    const end = rows.at(-1);
    if (end === undefined) return;
    last = end.id;
    yield rows.map(({ id }) => id);
  }
}

const STILL_READ = 'mail involving this person just arrived and isn’t processed yet: try again in a minute';

/**
 * Mail that has come and did not land: what they wrote goes at once. What others wrote is theirs, and loses what it quotes only
 * where it is in a conversation; so while any of it waits, nothing is erased.
 */
export async function settleUnread(tx: Transaction, { addresses }: ErasedMailbox, now: Date): Promise<void> {
  if (addresses.length === 0) return;
  for await (const ids of inPieces(tx, tx`m.state = 'new'`)) {
    await tx`
      update inbound_mails m set bytes = '', size_bytes = 0, delivered_to = '{}', message_id = null, state = 'ignored',
        note = 'Whoever wrote it was erased.', settled_at = ${now}, lease = null, lease_until = null, due_at = null
      where m.id = any(${ids}::uuid[]) and m.state = 'new' and ${names(tx, from(tx), addresses)}`;
    const [waits] = await tx`
      select 1 from inbound_mails m where m.id = any(${ids}::uuid[]) and m.state = 'new'
        and (${names(tx, readable(tx), addresses)} or ${names(tx, unpacked(tx), addresses)}) limit 1`;
    if (waits) throw conflict(STILL_READ, { retry_after: 60 });
  }
}

/** The mail as it came; and mail of theirs that is in no conversation, of which nothing is left to be placed. */
export async function eraseMail(
  tx: Transaction,
  { addresses, hashes }: ErasedMailbox,
  said: readonly string[],
): Promise<void> {
  await tx`
    update inbound_mails m set bytes = '', size_bytes = 0, delivered_to = '{}', message_id = null, from_address = null,
      from_name = null, from_hash = null, from_domain = null, subject = ''
    from touches x where x.id = any(${[...said]}::uuid[]) and m.id = x.raw_ref`;
  // Copies of ours to them that lay in a Sent folder, and what came twice.
  await tx`
    update inbound_mails m set bytes = '', size_bytes = 0, delivered_to = '{}', from_address = null, from_name = null, from_hash = null,
      from_domain = null, subject = ''
    where m.touch_id is null and m.state <> 'new' and m.message_id = any(array(
      select btrim(x.message_id, '<>') from touches x where x.id = any(${[...said]}::uuid[])))`;
  await tx`
    update inbound_mails set bytes = '', size_bytes = 0, delivered_to = '{}', message_id = null, from_address = null,
      from_name = null, from_hash = null, from_domain = null, subject = '', note = 'Whoever wrote it was erased.',
      state = case when state in ('quarantined', 'broken') then 'ignored' else state end
    where touch_id is null and from_hash = any(${[...hashes]}::text[])`;
  await tx`delete from quarantine_rules where value_hash = any(${[...hashes]}::text[])`;
  // Of mail that is in no conversation only the bytes say whom else it names: among whom it went to, or in a report.
  if (addresses.length === 0) return;
  const waiting: Piece = tx`m.touch_id is null and m.state <> 'new' and m.size_bytes > 0`;
  for await (const ids of inPieces(tx, waiting))
    await tx`
      update inbound_mails m set bytes = '', size_bytes = 0, delivered_to = '{}', note = 'Someone named in it was erased.',
        state = case when state in ('quarantined', 'broken') then 'ignored' else state end
      where m.id = any(${ids}::uuid[]) and ${waiting}
        and (${names(tx, readable(tx), addresses)} or ${names(tx, unpacked(tx), addresses)})`;
}

/** In bytes as `encode` escapes them. */
const spelt = (address: string): string =>
  [...Buffer.from(address.toLowerCase())]
    .map((byte) => (byte < 128 ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`))
    .join('');

/** A pattern of PostgreSQL for an address that is no part of a longer one. */
const wholeAddress = (address: string): string =>
  `(^|[^a-z0-9._%+-])${spelt(address).replaceAll(/[^a-z0-9]/g, '\\$&')}($|[^a-z0-9.-]|\\.($|[^a-z0-9]))`;
