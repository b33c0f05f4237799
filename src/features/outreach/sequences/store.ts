// Reads the steps of a campaign that its caller was given (campaigns/store.ts), and what their letters may ask for.
import type { Reader, Transaction } from '../../../kernel/database.ts';
import { principalIn, type PrincipalColumns } from '../../../kernel/principal-row.ts';
import { readText } from '../../../mail/letters/check.ts';
import { knownFields } from '../../../mail/letters/fields.ts';
import { fieldsOf } from '../../crm/fields/store.ts';
import type { Sequence, SequenceStep } from './contract.ts';
import type { BranchReading } from './rules.ts';

type Row = Omit<SequenceStep, 'wait' | 'fields'> & { wait_days: number; wait_hours: number };

/** The steps that exist, in order. For whoever was given the campaign, and for passes. */
export async function stepsOf(db: Reader, campaign_id: string): Promise<SequenceStep[]> {
  const rows = await db<Row[]>`
    select s.id, s.kind, s.position, s.wait_days, s.wait_hours, s.subject, s.text, s.html, s.task, s.branch, s.same_thread,
      (select coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'filename', f.filename, 'media_type', f.media_type,
         'size_bytes', f.size_bytes, 'sha256', f.sha256) order by sa.position), '[]')
       from step_attachments sa join attachments f on f.id = sa.attachment_id where sa.step_id = s.id) as attachments
    from sequence_steps s where s.campaign_id = ${campaign_id} and s.removed_at is null order by s.position`;
  return rows.map(({ wait_days, wait_hours, ...row }) => ({
    ...row,
    wait: { days: wait_days, hours: wait_hours },
    fields: fieldsAskedBy(row),
  }));
}

function fieldsAskedBy({
  subject,
  text,
  html,
  task,
}: Pick<SequenceStep, 'subject' | 'text' | 'html' | 'task'>): string[] {
  const texts = [subject, text, html, task?.title, task?.description];
  const asked = texts.flatMap((each) => {
    const read = readText(each ?? '', each === html);
    return read.fault === null ? read.fields : [];
  });
  return [...new Set(asked)].sort();
}

/** Every merge field that a letter of this instance may ask for. */
export async function mergeFieldsOf(db: Reader): Promise<string[]> {
  const keys = async (noun: 'person' | 'company') => (await fieldsOf(db, noun)).map(({ key }) => key);
  return knownFields({ person: await keys('person'), company: await keys('company') });
}

/** What the rules of steps and templates need to read a text. */
export const readingOf = async (db: Reader): Promise<BranchReading> => ({
  fields: new Set(await mergeFieldsOf(db)),
  read: readText,
});

type ChangeRow = PrincipalColumns<'by'> & { at: Date };

export async function sequenceOf(
  db: Reader,
  { id, sequence_revision }: { id: string; sequence_revision: number },
): Promise<Sequence> {
  const [changed] = await db<ChangeRow[]>`
    select by_kind, by_id, by_name, by_on_behalf_of, at from sequence_revisions
    where campaign_id = ${id} and revision = ${sequence_revision}`;
  return {
    campaign_id: id,
    revision: sequence_revision,
    steps: await stepsOf(db, id),
    merge_fields: await mergeFieldsOf(db),
    changed_by: changed ? principalIn(changed, 'by') : null,
    changed_at: changed?.at.toISOString() ?? null,
  };
}

/**
 * Of these ids, the files that steps of this campaign may carry, held until the steps are saved, so that none is forgotten in
 * between: those uploaded for it, and those that it carries since it was copied. A file of another campaign would show whoever
 * may not read that one what is in it, and a conversation's is for whoever is in it, and goes when they do.
 */
export async function attachmentsAmong(
  tx: Transaction,
  campaign_id: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await tx<{ id: string }[]>`
    select f.id from attachments f
    where f.id = any(${[...ids]}::uuid[]) and f.thread_id is null and (f.campaign_id = ${campaign_id} or exists (
      select from step_attachments w join sequence_steps st on st.id = w.step_id
      where w.attachment_id = f.id and st.campaign_id = ${campaign_id}))
    order by f.id for key share of f`;
  return new Set(rows.map(({ id }) => id));
}

/** Of these ids, those that are steps of other campaigns. */
export async function foreignSteps(
  db: Reader,
  campaign_id: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await db<{ id: string }[]>`
    select id from sequence_steps where id = any(${[...ids]}::uuid[]) and campaign_id <> ${campaign_id}`;
  return new Set(rows.map(({ id }) => id));
}
