// Reusable letters: starting points that are copied into a step. A template carries no pool, no policy and no people.
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { CREATED, OK, operation } from '../../../kernel/operation.ts';
import { done, id, listOf, page, principal, revision, text, time } from '../../../kernel/shapes.ts';
import { ofCampaigns } from '../campaigns/contract.ts';
import { HTML_MAX, SUBJECT_MAX, TEXT_MAX } from './contract.ts';

export const template = z.object({
  id,
  name: z.string(),
  subject: z.string().nullable(),
  text: z.string(),
  html: z.string().nullable(),
  fields: z.array(z.string()),
  revision,
  created_by: principal,
  created_at: time,
  updated_at: time,
});
export type Template = z.infer<typeof template>;
named('Template', template);

const fields = {
  subject: z.string().trim().max(SUBJECT_MAX).nullable(),
  html: z.string().max(HTML_MAX).nullable(),
};
const letterText = z.string().trim().min(1).max(TEXT_MAX);
const exampleTemplate = '0198c0de-0000-7000-8000-000000000061';
const resource = ({ template: named }: { template: string }): string[] => [`outreach:template/${named}`];

export const templateList = operation({
  name: 'template_list',
  says: 'Lists the reusable letters by name.',
  method: 'GET',
  path: '/api/admin/outreach/templates',
  takes: z.strictObject({ ...page }),
  gives: listOf(template),
  example: {},
  effect: 'read',
  needs: { action: 'outreach.template.read', on: () => ['outreach:template'] },
  ...ofCampaigns,
  wire: 'never',
  answers: OK,
});

export const templateCreate = operation({
  name: 'template_create',
  says: 'Saves a reusable letter. It sends nothing: its texts are copied into a step.',
  method: 'POST',
  path: '/api/admin/outreach/templates',
  takes: z.strictObject({ name: text(200), text: letterText, ...z.object(fields).partial().shape }),
  gives: z.object({ template }),
  example: { name: 'First hello', subject: 'Hello', text: 'Hello {{ person.given }}' },
  effect: 'write',
  needs: { action: 'outreach.template.create', on: () => ['outreach:template'] },
  ...ofCampaigns,
  wire: 'never',
  answers: CREATED,
});

export const templateUpdate = operation({
  name: 'template_update',
  says: 'Changes a reusable letter; steps that were made of it stay as they are.',
  method: 'PATCH',
  path: '/api/admin/outreach/templates/:template',
  takes: z.strictObject({
    template: id,
    revision,
    name: text(200).optional(),
    text: letterText.optional(),
    ...z.object(fields).partial().shape,
  }),
  gives: z.object({ template }),
  example: { template: exampleTemplate, revision: 1, name: 'First hello, shorter' },
  effect: 'write',
  needs: { action: 'outreach.template.write', on: resource },
  ...ofCampaigns,
  wire: 'never',
  answers: OK,
});

export const templateDelete = operation({
  name: 'template_delete',
  says: 'Deletes a reusable letter; steps that were made of it stay as they are.',
  method: 'DELETE',
  path: '/api/admin/outreach/templates/:template',
  takes: z.strictObject({ template: id }),
  gives: done,
  example: { template: exampleTemplate },
  effect: 'destroy',
  needs: { action: 'outreach.template.delete', on: resource },
  ...ofCampaigns,
  wire: 'never',
  answers: OK,
});
