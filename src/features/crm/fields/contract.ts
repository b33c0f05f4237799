// Custom fields' public face: what a definition is, for the nouns of the whole instance and for a project's own alike, and the
// two operations that read and replace the definitions of a noun (domain.md §1.9).
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { OK, operation } from '../../../kernel/operation.ts';
import { listOf, page, revision, text } from '../../../kernel/shapes.ts';

export const NOUNS = ['person', 'company', 'deal', 'work_item'] as const;
export type Noun = (typeof NOUNS)[number];

export const KINDS = ['text', 'number', 'date', 'bool', 'select', 'multiselect', 'url'] as const;

const fieldKey = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,39}$/, 'a small letter, then small letters, digits and underscores: at most 40');

export const customField = z.object({
  key: fieldKey,
  title: text(60),
  kind: z.enum(KINDS),
  options: z.array(text(60)).max(50).optional(),
});
named('CustomField', customField);

export type CustomField = z.infer<typeof customField>;

/** Values as arguments bring them. Keys are shaped like a field's, so that no stray key reaches a stored object. */
export const customValues = named('CustomValues', z.record(fieldKey, z.unknown()));

export const FIELDS_A_NOUN = 100;

const fieldSet = z.object({ noun: z.enum(NOUNS), revision, fields: z.array(customField) });
export type FieldSet = z.infer<typeof fieldSet>;

export const fieldList = operation({
  name: 'field_list',
  says: 'Lists the custom fields of people, companies, deals and work items, in display order.',
  method: 'GET',
  path: '/api/admin/crm/fields',
  takes: z.strictObject({ noun: z.enum(NOUNS).optional(), ...page }),
  gives: listOf(fieldSet),
  example: { noun: 'person' },
  effect: 'read',
  needs: { action: 'crm.field.read', on: () => ['crm:field'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const fieldReplace = operation({
  name: 'field_replace',
  says: 'Replaces the custom fields of one noun; needs the revision that was read. Removing a field that has values needs drop_values. A field’s kind can’t change.',
  method: 'PUT',
  path: '/api/admin/crm/fields',
  takes: z.strictObject({
    noun: z.enum(NOUNS),
    revision,
    fields: z.array(z.strictObject(customField.shape)).max(FIELDS_A_NOUN),
    /** Takes the values of fields that are no longer there from every record that holds one. */
    drop_values: z.boolean().default(false),
  }),
  gives: fieldSet,
  example: { noun: 'person', revision: 1, fields: [{ key: 'region', title: 'Region', kind: 'text' }] },
  effect: 'destroy',
  needs: { action: 'crm.field.write', on: () => ['crm:field'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});
