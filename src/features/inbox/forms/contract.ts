// Web forms: an address that the form on someone's own site posts to, so that what is written there reaches the inbox.
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { CREATED, OK, operation } from '../../../kernel/operation.ts';
import { done, id, listOf, page, principal, revision, text, time } from '../../../kernel/shapes.ts';
import { HONEYPOT, isOrigin, isRedirect } from './rules.ts';

export const form = z.object({
  id,
  name: z.string(),
  /** What the form's `action` is set to: a secret of no one's, and guessed by no one. */
  url: z.string(),
  /** A field that people do not see and leave empty: what fills it is dropped without a word. */
  honeypot: z.literal(HONEYPOT),
  identity_id: id.nullable(),
  campaign_id: id.nullable(),
  redirect_url: z.string().nullable(),
  /** Pages whose scripts may post here, such as https://www.example.com; a form that a browser sends on its own needs none. */
  origins: z.array(z.string()),
  active: z.boolean(),
  posts: z.int(),
  last_post_at: time.nullable(),
  revision,
  created_by: principal,
  created_at: time,
  updated_at: time,
});
export type Form = z.infer<typeof form>;
named('Form', form);

const redirect_url = z
  .string()
  .trim()
  .max(2_000)
  .refine(isRedirect, 'a whole address that begins with https:// or http://, without user name or password');
const origin = z
  .string()
  .trim()
  .max(300)
  .refine(isOrigin, 'a scheme and a host alone, such as https://www.example.com');
const wish = {
  /** Who answers what is written there. */
  identity_id: id.nullable().optional(),
  /** Whose prospects answer by it: their posts belong to this campaign. */
  campaign_id: id.nullable().optional(),
  /** Where a browser is sent after a post; a page of ours says thanks where it is null. */
  redirect_url: redirect_url.nullable().optional(),
  /** Whose scripts may post here and read the answer, each as scheme and host, without a path. */
  origins: z.array(origin).max(20).optional(),
};

const free = { who: 'anyone', step_up: 'no', wire: 'never' } as const;
// Also to look: who has the address of a form can write to the inbox by it.
const needs = { action: 'admin.setting.write', on: (): string[] => ['admin:setting/forms'] };
const EXAMPLE = '0198c0de-0000-7000-8000-000000000091';
const PATH = '/api/admin/forms';

export const formList = operation({
  ...free,
  name: 'form_list',
  says: 'Lists web forms, newest first, with the address that each posts to.',
  method: 'GET',
  path: PATH,
  takes: z.strictObject(page),
  gives: listOf(form),
  example: {},
  effect: 'read',
  needs,
  answers: OK,
});

export const formCreate = operation({
  ...free,
  name: 'form_create',
  says: 'Makes a web form: its address takes posts with email, name, message and whatever else the form asks.',
  method: 'POST',
  path: PATH,
  takes: z.strictObject({ name: text(120), ...wish }),
  gives: z.object({ form }),
  example: { name: 'Contact', redirect_url: 'https://example.com/thanks' },
  effect: 'write',
  needs,
  answers: CREATED,
});

export const formUpdate = operation({
  ...free,
  name: 'form_update',
  says: 'Changes a web form; active: false takes no more posts. It needs the revision that was read.',
  method: 'PATCH',
  path: `${PATH}/:form`,
  takes: z.strictObject({
    form: id,
    revision,
    name: text(120).optional(),
    active: z.boolean().optional(),
    ...wish,
  }),
  gives: z.object({ form }),
  example: { form: EXAMPLE, revision: 1, active: false },
  effect: 'write',
  needs,
  answers: OK,
});

export const formDelete = operation({
  ...free,
  name: 'form_delete',
  says: 'Deletes a web form: its address stops working. Messages received through it stay.',
  method: 'DELETE',
  path: `${PATH}/:form`,
  takes: z.strictObject({ form: id }),
  gives: done,
  example: { form: EXAMPLE },
  effect: 'destroy',
  needs,
  answers: OK,
});
