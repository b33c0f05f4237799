// All SQL of web forms.
import { withoutEnd } from '../../../kernel/edges.ts';
import { type Caller } from '../../../kernel/caller.ts';
import type { Reader, Transaction } from '../../../kernel/database.ts';
import { newId } from '../../../kernel/ids.ts';
import { denied } from '../../../kernel/denied.ts';
import { decide } from '../../../kernel/policy.ts';
import { knownPrincipalIn, principalColumns, type PrincipalColumns } from '../../../kernel/principal-row.ts';
import { notFound } from '../../../kernel/refusal.ts';
import type { Form } from './contract.ts';
import { HONEYPOT } from './rules.ts';

export type FormRow = PrincipalColumns<'created_by'> & {
  id: string;
  name: string;
  slug: string;
  identity_id: string | null;
  campaign_id: string | null;
  redirect_url: string | null;
  origins: string[];
  active: boolean;
  posts: number;
  last_post_at: Date | null;
  revision: number;
  created_at: Date;
  updated_at: Date;
};

const loaded = Symbol('loaded');

/** A form that its caller may have for the action it was loaded for. */
export type LoadedForm = FormRow & { readonly [loaded]: true };

const ACTION = 'admin.setting.write';
const RESOURCE = 'admin:setting/forms';

function demand(caller: Caller): void {
  if (!decide(caller.rights, ACTION, [RESOURCE]).allowed) throw denied(caller, ACTION, RESOURCE);
}

const guarded = (row: FormRow): LoadedForm => ({ ...row, [loaded]: true });

export const shownForm = (row: FormRow, base_url: string): Form => ({
  id: row.id,
  name: row.name,
  url: `${withoutEnd(base_url, '/')}/hooks/form/${row.slug}`,
  honeypot: HONEYPOT,
  identity_id: row.identity_id,
  campaign_id: row.campaign_id,
  redirect_url: row.redirect_url,
  origins: row.origins,
  active: row.active,
  posts: row.posts,
  last_post_at: row.last_post_at?.toISOString() ?? null,
  revision: row.revision,
  created_by: knownPrincipalIn(row, 'created_by'),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

/** Newest first; `after` is the key of the last row of the page before. */
export async function newestForms(
  db: Reader,
  caller: Caller,
  after: readonly [at: string, id: string] | null,
  count: number,
): Promise<LoadedForm[]> {
  demand(caller);
  const rows = await db<FormRow[]>`
    select * from forms
    ${after === null ? db`` : db`where (created_at, id) < (${after[0]}, ${after[1]})`}
    order by created_at desc, id desc limit ${count}`;
  return rows.map(guarded);
}

/** Kept from everyone else until this act is over. */
export async function lockForm(tx: Transaction, caller: Caller, id: string): Promise<LoadedForm> {
  demand(caller);
  const [row] = await tx<FormRow[]>`select * from forms where id = ${id} for update`;
  if (!row) throw notFound('form', 'GET /api/admin/forms lists forms');
  return guarded(row);
}

export type FormWish = Pick<FormRow, 'name' | 'identity_id' | 'campaign_id' | 'redirect_url' | 'origins'>;

export async function insertForm(
  tx: Transaction,
  caller: Caller,
  wish: FormWish & { slug: string },
  now: Date,
): Promise<FormRow> {
  demand(caller);
  const row = {
    id: newId(),
    ...wish,
    ...principalColumns(tx, 'created_by', caller.principal),
    created_at: now,
    updated_at: now,
  };
  const [made] = await tx<FormRow[]>`insert into forms ${tx(row)} returning *`;
  if (!made) throw new Error('a form was written and not returned');
  return made;
}

export async function saveForm(
  tx: Transaction,
  form: LoadedForm,
  { name, identity_id, campaign_id, redirect_url, origins, active }: FormWish & { active: boolean },
  now: Date,
): Promise<FormRow> {
  const [saved] = await tx<FormRow[]>`
    update forms set name = ${name}, identity_id = ${identity_id}, campaign_id = ${campaign_id},
      redirect_url = ${redirect_url}, origins = ${origins}, active = ${active}, revision = revision + 1, updated_at = ${now}
    where id = ${form.id} returning *`;
  if (!saved) throw new Error('a form that was locked is gone');
  return saved;
}

export async function deleteForm(tx: Transaction, form: LoadedForm): Promise<void> {
  await tx`delete from forms where id = ${form.id}`;
}

/** By its address, for whoever posts to it: null where it is unknown or takes nothing now. */
export async function openForm(db: Reader, slug: string): Promise<FormRow | null> {
  const [row] = await db<FormRow[]>`select * from forms where slug = ${slug} and active`;
  return row ?? null;
}

export async function countPost(tx: Transaction, form_id: string, now: Date): Promise<void> {
  await tx`update forms set posts = posts + 1, last_post_at = ${now} where id = ${form_id}`;
}

/** Of two posts from one new address the second waits, and finds the person whom the first made. */
export async function holdAddress(tx: Transaction, normalised: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`forms.${normalised}`}, 0))`;
}

/** Of this person in the form's campaign. */
export async function prospectIn(
  tx: Transaction,
  campaign_id: string,
  person_id: string,
): Promise<string | null> {
  const [row] = await tx<{ id: string }[]>`
    select id from prospects where campaign_id = ${campaign_id} and person_id = ${person_id}
    order by created_at desc limit 1`;
  return row?.id ?? null;
}
