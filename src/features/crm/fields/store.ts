// All SQL of custom fields: their definitions, and the values that records hold of them.
import type { Reader, Transaction } from '../../../kernel/database.ts';
import type { CustomField, FieldSet, Noun } from './contract.ts';

type FieldRow = { key: string; title: string; kind: CustomField['kind']; options: string[] };

const toField = ({ options, ...field }: FieldRow): CustomField => ({
  ...field,
  ...(options.length > 0 && { options }),
});

/** The fields of a noun in their order. */
export async function fieldsOf(db: Reader, noun: Noun): Promise<CustomField[]> {
  const rows = await db<FieldRow[]>`
    select key, title, kind, options from custom_fields where noun = ${noun} order by position`;
  return rows.map(toField);
}

/** As `fieldsOf`, for an act that writes values: no one replaces the definitions until it is over. */
export async function holdFields(tx: Transaction, noun: Noun): Promise<CustomField[]> {
  await tx`select 1 from custom_field_sets where noun = ${noun} for share`;
  return await fieldsOf(tx, noun);
}

type SetRow = { noun: Noun; revision: number; fields: FieldRow[] };

/** The nouns after `after`, by name, each with its fields. */
export async function fieldSets(
  db: Reader,
  { noun, after, count }: { noun: Noun | null; after: string | null; count: number },
): Promise<FieldSet[]> {
  const rows = await db<SetRow[]>`
    select s.noun, s.revision, (
        select coalesce(jsonb_agg(jsonb_build_object('key', f.key, 'title', f.title, 'kind', f.kind, 'options', f.options)
          order by f.position), '[]')
        from custom_fields f where f.noun = s.noun
      ) as fields
    from custom_field_sets s
    where true ${noun === null ? db`` : db`and s.noun = ${noun}`} ${after === null ? db`` : db`and s.noun > ${after}`}
    order by s.noun limit ${count}`;
  return rows.map(({ fields, ...set }) => ({ ...set, fields: fields.map(toField) }));
}

/** Keeps a noun's definitions for this act, and says their revision. */
export async function lockSet(
  tx: Transaction,
  noun: Noun,
): Promise<{ revision: number; fields: CustomField[] }> {
  const [row] = await tx<{ revision: number }[]>`
    select revision from custom_field_sets where noun = ${noun} for update`;
  if (!row) throw new Error(`there is no set of fields of a ${noun}`);
  return { revision: row.revision, fields: await fieldsOf(tx, noun) };
}

export async function replaceFields(
  tx: Transaction,
  noun: Noun,
  revision: number,
  fields: readonly CustomField[],
): Promise<void> {
  await tx`delete from custom_fields where noun = ${noun}`;
  const rows = fields.map(({ key, title, kind, options = [] }, position) => ({
    noun,
    key,
    title,
    kind,
    options,
    position,
  }));
  if (rows.length > 0) await tx`insert into custom_fields ${tx(rows)}`;
  await tx`update custom_field_sets set revision = ${revision} where noun = ${noun}`;
}

/** The records of a noun that hold values of the instance's fields. A project's own field of the same key is another field. */
function holding(db: Reader, noun: Noun, key: string) {
  if (noun === 'person') return db`people r where r.custom ? ${key}`;
  if (noun === 'company') return db`companies r where r.custom ? ${key}`;
  if (noun === 'deal') return db`deals r where r.custom ? ${key}`;
  return db`work_items r where r.custom ? ${key} and not exists (
    select from work_projects p where p.id = r.project_id
      and p.custom_fields @> jsonb_build_array(jsonb_build_object('key', ${key}::text)))`;
}

/** How many records hold a value of each of these fields. */
export async function countHeld(
  db: Reader,
  noun: Noun,
  keys: readonly string[],
): Promise<{ key: string; count: number }[]> {
  const held = [];
  for (const key of keys) {
    const [row] = await db<{ count: number }[]>`select count(*)::int as count from ${holding(db, noun, key)}`;
    held.push({ key, count: row?.count ?? 0 });
  }
  return held;
}

/** Of what letters may ask for, and what it is called there. */
const ASKED_AS: Partial<Record<Noun, string>> = { person: 'custom', company: 'company.custom' };

/**
 * Takes the values of these fields from every record that holds one. `by_wire`: whoever does could set how any campaign's
 * letters are reviewed; by anyone else, the values count as edited.
 */
export async function dropValues(
  tx: Transaction,
  noun: Noun,
  keys: readonly string[],
  { by_wire }: { by_wire: boolean },
): Promise<void> {
  const table = { person: 'people', company: 'companies', deal: 'deals', work_item: 'work_items' }[noun];
  const asked = ASKED_AS[noun];
  const mark = (key: string) =>
    by_wire || asked === undefined
      ? tx``
      : tx`, edited = array(select f from unnest(edited) f union select ${`${asked}.${key}`}::text)`;
  for (const key of keys)
    await tx`update ${tx(table)} set custom = custom - ${key}::text ${mark(key)} where id in (select r.id from ${holding(tx, noun, key)})`;
}
