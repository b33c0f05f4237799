// What a letter is made of: the step, the person, the company, the campaign, the sender and the postal address, read together,
// and the fields of src/mail/letters that they fill.
import type { Reader } from '../../../../kernel/database.ts';
import type { App } from '../../../../kernel/app.ts';
import { parseAddress } from '../../../../mail/address.ts';
import type {
  LetterSource,
  MergeValues,
  RenderedLetter,
  Surroundings,
} from '../../../../mail/letters/letter.ts';
import { renderLetter } from '../../../../mail/letters/render.ts';
import { unsubscribeUrl } from '../../unsubscribes/token.ts';
import type { LetterWords } from '../letter/fingerprint.ts';
import type { Policy } from '../letter/review.rules.ts';

export type Post = Pick<App, 'sealer' | 'instance'>;

export type Source = {
  prospect_id: string;
  campaign_id: string;
  person_id: string;
  step_id: string;
  ended: string | null;
  pinned: string | null;
  pool: { identity_id: string; weight: number }[];
  policy: Policy;
  review_bound_at: Date | null;
  /** Someone without wire changed what of the campaign is in its letters since the policy was bound. */
  campaign_loosened: boolean;
  unsubscribe_mode: 'one_click' | 'reply_only';
  step: { subject: string | null; text: string; html: string | null; same_thread: boolean };
  attachments: (LetterWords['attachments'][number] & { id: string })[];
  person: Record<string, unknown>;
  custom: Record<string, unknown>;
  /** What of these someone without wire last changed, under the names that letters ask by. */
  edited: string[];
  company: Record<string, unknown> | null;
  campaign: Record<string, unknown>;
  postal_address: string | null;
  /** Their first address, in the spelling of the wire. */
  to: { address: string; hash: string } | null;
  /** The one that someone who may enrol chose; null: nothing is known of it. */
  enrolled_hash: string | null;
  /** How many letters the campaign has, counted to twenty. */
  before: number;
  first_touch: boolean;
  parent: {
    subject: string;
    message_id: string;
    in_reply_to: string | null;
    message_references: string[];
  } | null;
};

export type Pair = { prospect_id: string; step_id: string };

/** What letters may ask of `people p` with their first address `pa`, and of `companies co`. */
const personValues = (db: Reader) => db`
  jsonb_build_object('name', p.name, 'given', p.given, 'family', p.family, 'title', p.title, 'email', pa.value,
    'phone', p.phone, 'country', p.country, 'language', p.language, 'timezone', p.timezone, 'source', p.source,
    'tags', array_to_string(p.tags, ', ')) as person,
  p.custom,
  case when co.id is not null then jsonb_build_object('name', co.name, 'domain', co.domain, 'country', co.country,
    'size', co.size, 'timezone', co.timezone, 'custom', co.custom) end as company,
  case when pa.id is not null then jsonb_build_object('address', pa.value, 'hash', pa.hash) end as to`;

/** Of prospects and steps, by both ids together (`pairKey`); a pair of which one is not there is missing. */
export async function sourcesOf(db: Reader, pairs: readonly Pair[]): Promise<Map<string, Source>> {
  const prospects = pairs.map(({ prospect_id }) => prospect_id);
  const steps = pairs.map(({ step_id }) => step_id);
  const rows = await db<Source[]>`
    select pr.id as prospect_id, pr.campaign_id, pr.person_id, st.id as step_id, pr.ended, pr.to_hash as enrolled_hash, pr.identity_id as pinned,
      (select coalesce(jsonb_agg(jsonb_build_object('identity_id', ci.identity_id, 'weight', ci.weight)), '[]')
       from campaign_identities ci join identities i on i.id = ci.identity_id
       where ci.campaign_id = c.id and i.active) as pool,
      jsonb_build_object('review_policy', c.review_policy, 'review_sample', c.review_sample,
        'sequence_revision', c.sequence_revision, 'review_bound_revision', c.review_bound_revision,
        'no_human_review_revision', c.no_human_review_revision) as policy,
      c.review_bound_at,
      c.loosened_at is not null and (c.review_bound_at is null or c.loosened_at > c.review_bound_at) as campaign_loosened,
      c.unsubscribe_mode,
      jsonb_build_object('subject', st.subject, 'text', st.text, 'html', st.html, 'same_thread', st.same_thread) as step,
      (select coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'filename', f.filename, 'media_type', f.media_type,
         'sha256', f.sha256) order by sa.position), '[]')
       from step_attachments sa join attachments f on f.id = sa.attachment_id where sa.step_id = st.id) as attachments,
      ${personValues(db)}, p.edited || coalesce(co.edited, '{}') as edited,
      jsonb_build_object('name', c.name, 'goal', c.goal) as campaign,
      (select a.lines from postal_addresses a where a.id = c.postal_address_id) as postal_address,
      (select count(*)::int from (select 1 from sends x where x.campaign_id = c.id limit 20) x) as before,
      not exists (select from sends x where x.prospect_id = pr.id and x.state not in ('cancelled', 'failed')) as first_touch,
      (select jsonb_build_object('subject', x.subject, 'message_id', x.message_id, 'in_reply_to', x.in_reply_to,
         'message_references', x.message_references)
       from sends x where x.prospect_id = pr.id and x.state not in ('cancelled', 'failed') and x.step_id <> st.id
       order by x.created_at desc limit 1) as parent
    from unnest(${prospects}::uuid[], ${steps}::uuid[]) w (prospect_id, step_id)
    join prospects pr on pr.id = w.prospect_id
    join campaigns c on c.id = pr.campaign_id
    join people p on p.id = pr.person_id
    join sequence_steps st on st.id = w.step_id and st.campaign_id = c.id and st.kind = 'letter'
    left join person_addresses pa on pa.person_id = p.id and pa.is_primary
    left join companies co on co.id = p.company_id`;
  return new Map(rows.map((row) => [pairKey(row), spelled(row)]));
}

export const pairKey = ({ prospect_id, step_id }: Pair): string => `${prospect_id} ${step_id}`;

/** An address in the spelling of the wire: its mailbox as it was written, its domain as it is looked up. */
export function onTheWire(address: string): string {
  const parsed = parseAddress(address);
  return parsed.ok ? `${parsed.address.local}@${parsed.address.domain}` : address;
}

const spelled = <T extends { to: Source['to'] }>(row: T): T => ({
  ...row,
  to: row.to && { ...row.to, address: onTheWire(row.to.address) },
});

export type Recipient = Pick<Source, 'person' | 'custom' | 'company' | 'to'>;

/** Someone to whom a single letter is written. */
export async function recipientOf(db: Reader, person_id: string): Promise<Recipient | null> {
  const [row] = await db<Recipient[]>`
    select ${personValues(db)} from people p
    left join person_addresses pa on pa.person_id = p.id and pa.is_primary
    left join companies co on co.id = p.company_id where p.id = ${person_id}`;
  return row ? spelled(row) : null;
}

/** One of a person's own addresses; null where it is not theirs. */
export async function ownAddress(
  db: Reader,
  person_id: string,
  normalised: string,
): Promise<NonNullable<Source['to']> | null> {
  const [row] = await db<{ value: string; hash: string }[]>`
    select value, hash from person_addresses where person_id = ${person_id} and normalised = ${normalised}`;
  return row ? { address: onTheWire(row.value), hash: row.hash } : null;
}

export type DraftSender = {
  id: string;
  name: string;
  address: string;
  reply_to: string | null;
  signature_text: string;
  signature_html: string;
  domain: string;
  active: boolean;
  timezone: string;
  loosened_at: Date | null;
};

/** Null where there is none of that id, or it was deleted. */
export async function senderOf(db: Reader, id: string): Promise<DraftSender | null> {
  const [row] = await db<DraftSender[]>`
    select i.id, i.name, i.address, i.reply_to, i.signature_text, i.signature_html, d.name as domain, i.active,
      i.timezone, i.loosened_at
    from identities i join domains d on d.id = i.domain_id where i.id = ${id} and i.gone_at is null`;
  return row ?? null;
}

/** A letter to someone, of any words: with the sender's signature, the unsubscribe link and the postal address where it has none. */
export function wordsFor(
  words: LetterSource,
  to: Recipient & { campaign?: Record<string, unknown> },
  sender: DraftSender,
  surroundings: Omit<Surroundings, 'signature'>,
): Pick<RenderedLetter, 'subject' | 'text' | 'html' | 'unresolved' | 'fields_used' | 'fault'> {
  const values: MergeValues = {
    person: to.person,
    company: to.company ?? {},
    custom: to.custom,
    campaign: to.campaign ?? {},
    identity: { name: sender.name, address: sender.address },
  };
  const signature = { text: sender.signature_text, html: sender.signature_html };
  const { subject, text, html, unresolved, fields_used, fault } = renderLetter(words, values, {
    ...surroundings,
    signature,
  });
  return { subject, text, html, unresolved, fields_used, fault };
}

export const surroundingsOf = (
  { unsubscribe_mode, postal_address }: Pick<Source, 'unsubscribe_mode' | 'postal_address'>,
  send_id: string,
  post: Post,
): Omit<Surroundings, 'signature'> => ({
  unsubscribe:
    unsubscribe_mode === 'one_click'
      ? { mode: 'one_click', url: unsubscribeUrl(post, send_id) }
      : { mode: 'reply_only' },
  postal_address,
});

/** What the step itself says to this person. */
export const wordsOfStep = (source: Source, sender: DraftSender, send_id: string, post: Post) =>
  wordsFor(
    { ...source.step, subject: source.step.subject ?? '' },
    source,
    sender,
    surroundingsOf(source, send_id, post),
  );

/** The files that go with letters, in their order; a letter without any is missing. */
export async function filesOf(
  db: Reader,
  send_ids: readonly string[],
): Promise<Map<string, Source['attachments']>> {
  const rows = await db<(Source['attachments'][number] & { send_id: string })[]>`
    select sa.send_id, f.id, f.filename, f.media_type, f.sha256
    from send_attachments sa join attachments f on f.id = sa.attachment_id
    where sa.send_id = any(${[...send_ids]}::uuid[]) order by sa.send_id, sa.position`;
  return Map.groupBy(rows, ({ send_id }) => send_id);
}

export const attachmentsOf = async (db: Reader, send_id: string): Promise<Source['attachments']> =>
  (await filesOf(db, [send_id])).get(send_id) ?? [];

/** What a step says, whoever it is for. */
export async function templateOf(
  db: Reader,
  step_id: string,
): Promise<{ subject: string | null; text: string } | null> {
  const [row] = await db<{ subject: string | null; text: string }[]>`
    select subject, coalesce(text, '') as text from sequence_steps where id = ${step_id}`;
  return row ?? null;
}
