// Handlers of web forms: load, save, say.
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { changedSince } from '../../../kernel/refusal.ts';
import { bind, type Bound, type WriteContext } from '../../../kernel/context.ts';
import { id, time } from '../../../kernel/shapes.ts';
import { loadCampaign } from '../../outreach/campaigns/store.ts';
import { loadIdentity } from '../../outreach/identities/store.ts';
import { formCreate, formDelete, formList, formUpdate } from './contract.ts';
import { deleteForm, type FormRow, insertForm, lockForm, newestForms, saveForm, shownForm } from './store.ts';

/** 128 bits: who was not given the address does not find it. */
const SLUG_BYTES = 16;

function told(context: WriteContext, row: FormRow) {
  context.about(`admin:setting/forms/${row.id}`);
  context.tell('forms', row.id);
  return { form: shownForm(row, context.app.instance.base_url) };
}

const unique = (origins: readonly string[]): string[] => [
  ...new Set(origins.map((each) => each.toLowerCase())),
];

/** What a form names must be there, and the caller's to read. */
async function demandNamed(
  { db, caller }: WriteContext,
  {
    identity_id,
    campaign_id,
  }: { identity_id?: string | null | undefined; campaign_id?: string | null | undefined },
): Promise<void> {
  if (identity_id) await loadIdentity(db, caller, 'outreach.identity.read', identity_id);
  if (campaign_id) await loadCampaign(db, caller, 'outreach.campaign.read', campaign_id);
}

const list = bind(formList, async ({ db, caller, app }, { limit, cursor }) => {
  const after = keyIn(cursor, () => z.tuple([time, id]));
  const rows = await newestForms(db, caller, after, limit + 1);
  const shown = rows.map((row) => shownForm(row, app.instance.base_url));
  return pageOf(shown, limit, (row) => [row.created_at, row.id]);
});

const create = bind(formCreate, async (context, { name, ...wish }) => {
  await demandNamed(context, wish);
  const { identity_id = null, campaign_id = null, redirect_url = null } = wish;
  const origins = unique(wish.origins ?? []);
  const slug = randomBytes(SLUG_BYTES).toString('base64url');
  const row = { name, slug, identity_id, campaign_id, redirect_url, origins };
  return told(context, await insertForm(context.db, context.caller, row, context.now));
});

const update = bind(formUpdate, async (context, { form: which, revision, ...wish }) => {
  const row = await lockForm(context.db, context.caller, which);
  if (row.revision !== revision) throw changedSince('this form', row.revision);
  await demandNamed(context, wish);
  const {
    name = row.name,
    identity_id = row.identity_id,
    campaign_id = row.campaign_id,
    redirect_url = row.redirect_url,
    active = row.active,
    origins = row.origins,
  } = wish;
  const wanted = { name, identity_id, campaign_id, redirect_url, active, origins: unique(origins) };
  return told(context, await saveForm(context.db, row, wanted, context.now));
});

const remove = bind(formDelete, async (context, { form: which }) => {
  const row = await lockForm(context.db, context.caller, which);
  await deleteForm(context.db, row);
  told(context, row);
  return { ok: true as const };
});

export const formHandlers: Bound[] = [list, create, update, remove];
