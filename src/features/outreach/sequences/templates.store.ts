// All SQL of reusable letters. A policy on one names it by its id, which is in the route: no row has to be loaded first.
import type { Principal } from '../../../kernel/caller.ts';
import type { Reader, Transaction } from '../../../kernel/database.ts';
import { newId } from '../../../kernel/ids.ts';
import { knownPrincipalIn, principalColumns, type PrincipalColumns } from '../../../kernel/principal-row.ts';
import { notFound } from '../../../kernel/refusal.ts';
import { readText } from '../../../mail/letters/check.ts';
import { nameKey } from '../../crm/people/rules.ts';
import type { Template } from './templates.contract.ts';

type Row = PrincipalColumns<'created_by'> &
  Omit<Template, 'fields' | 'created_by' | 'created_at' | 'updated_at'> & {
    name_key: string;
    created_at: Date;
    updated_at: Date;
  };

const toTemplate = (row: Row): Template => ({
  id: row.id,
  name: row.name,
  subject: row.subject,
  text: row.text,
  html: row.html,
  fields: fieldsIn(row),
  revision: row.revision,
  created_by: knownPrincipalIn(row, 'created_by'),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

function fieldsIn({ subject, text, html }: Pick<Template, 'subject' | 'text' | 'html'>): string[] {
  const read = [readText(subject ?? '', false), readText(text, false), readText(html ?? '', true)];
  return [...new Set(read.flatMap((each) => (each.fault === null ? each.fields : [])))].sort();
}

export async function listTemplates(
  db: Reader,
  after: string | null,
  count: number,
): Promise<{ template: Template; key: [string] }[]> {
  const rows = await db<Row[]>`
    select * from letter_templates ${after === null ? db`` : db`where name_key > ${after}`}
    order by name_key limit ${count}`;
  return rows.map((row) => ({ template: toTemplate(row), key: [row.name_key] }));
}

export async function lockTemplate(tx: Transaction, id: string): Promise<Template> {
  const [row] = await tx<Row[]>`select * from letter_templates where id = ${id} for update`;
  if (!row) throw notFound('template', 'GET /api/admin/outreach/templates lists templates');
  return toTemplate(row);
}

export type TemplateTexts = Pick<Template, 'name' | 'subject' | 'text' | 'html'>;

/** Null where a template of that name exists. */
export async function insertTemplate(
  tx: Transaction,
  given: TemplateTexts,
  by: Principal,
  now: Date,
): Promise<Template | null> {
  const row = {
    id: newId(),
    ...given,
    name_key: nameKey(given.name),
    ...principalColumns(tx, 'created_by', by),
    created_at: now,
    updated_at: now,
  };
  const [made] = await tx<Row[]>`
    insert into letter_templates ${tx(row)} on conflict (name_key) do nothing returning *`;
  return made ? toTemplate(made) : null;
}

/** Null where another template has that name. */
export async function saveTemplate(
  tx: Transaction,
  template: Template,
  to: TemplateTexts,
  now: Date,
): Promise<Template | null> {
  const row = { ...to, name_key: nameKey(to.name), revision: template.revision + 1, updated_at: now };
  try {
    const [saved] = await tx.savepoint(
      (sp) => sp<Row[]>`update letter_templates set ${sp(row)} where id = ${template.id} returning *`,
    );
    return saved ? toTemplate(saved) : null;
  } catch (error) {
    if ((error as { code?: unknown }).code === '23505') return null;
    throw error;
  }
}

export async function deleteTemplate(tx: Transaction, { id }: Template): Promise<void> {
  await tx`delete from letter_templates where id = ${id}`;
}
