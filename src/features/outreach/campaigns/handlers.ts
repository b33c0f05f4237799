// Handlers of campaign settings: find, create, copy, read, change, delete. Starting and reviewing are in other files.
import { z } from 'zod';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { conflict, stop } from '../../../kernel/refusal.ts';
import { bind, type ReadContext, type WriteContext } from '../../../kernel/context.ts';
import { refusedAsUnseen } from '../../../kernel/seen.ts';
import { asRefusal } from '../../crm/fields/rules.ts';
import { LETTERS_DUE, wakeLetters } from '../sends/letter/flow.store.ts';
import { lettersTouchedByCampaign } from '../sends/draft/reached.store.ts';
import { copySteps } from '../sequences/clone.store.ts';
import {
  type Campaign,
  campaignClone,
  campaignCreate,
  campaignDelete,
  campaignList,
  campaignRead,
  campaignUpdate,
} from './contract.ts';
import { countsOf } from './metrics/counts.store.ts';
import { easedAfter, mayActivate } from './eased.rules.ts';
import { strangers } from './named.store.ts';
import {
  campaignName,
  DEFAULTS,
  refusedArchived,
  refusedAsStale,
  refusedDays,
  saidByLetters,
  type CampaignSettings,
  settingsOf,
  settingsOfClone,
} from './rules.ts';
import { maySetReview } from './review.rules.ts';
import { deleteCampaign, insertCampaign, saveEased, saveSettings } from './save.store.ts';
import { seenOfCampaign } from './checks/seen.store.ts';
import { listCampaigns, loadCampaign, type LoadedCampaign, lockCampaign, readAgain } from './store.ts';

const list = bind(campaignList, async ({ db, caller, now }, { state, limit, cursor }) => {
  const after = keyIn(cursor, () => z.tuple([z.iso.datetime(), z.guid()]));
  const found = await listCampaigns(db, caller, state, after, limit + 1);
  const counts = await countsOf(db, found, now);
  const rows = found.map((row) => {
    const of = counts.get(row.id);
    if (!of) throw new Error('a campaign that was just read has no counts');
    return { ...row, counts: of };
  });
  return pageOf(rows, limit, (row) => [row.updated_at, row.id]);
});

/** A campaign as it is shown, with its counts. */
export async function shown(
  { db, now }: Pick<ReadContext, 'db' | 'now'>,
  { ...campaign }: LoadedCampaign,
): Promise<{ campaign: Campaign }> {
  const counts = (await countsOf(db, [campaign], now)).get(campaign.id);
  if (!counts) throw new Error('a campaign that was just read has no counts');
  return { campaign: { ...campaign, counts, seen: await seenOfCampaign(db, campaign) } };
}

/** Refuses an act on a campaign that is another than its caller looked at. */
export async function demandSeen(
  { db }: Pick<WriteContext, 'db'>,
  campaign: LoadedCampaign,
  given: string | undefined,
  read: string,
): Promise<void> {
  stop(refusedAsUnseen(given, await seenOfCampaign(db, campaign), { noun: 'campaign', read }));
}

/** What an act answers with: the campaign as it left it. Open screens are told. */
export async function touched(context: WriteContext, id: string): Promise<{ campaign: Campaign }> {
  context.about(campaignName(id));
  context.tell('campaigns', id);
  return await shown(context, await readAgain(context.db, id));
}

/** What letters of it waited for may be there now. */
export async function wakeCampaign(context: WriteContext, campaign_id: string): Promise<void> {
  await wakeLetters(context.db, { campaign_id }, context.now);
  context.tell(LETTERS_DUE, campaign_id);
}

const read = bind(campaignRead, async (context, { campaign }) => {
  return await shown(
    context,
    await loadCampaign(context.db, context.caller, 'outreach.campaign.read', campaign),
  );
});

type Given = { [Field in keyof CampaignSettings]?: CampaignSettings[Field] | undefined };

/** Settings with what was given laid over them; refused where it names no one, or days that are none. */
async function settingsAfter(
  context: WriteContext,
  before: CampaignSettings,
  given: Given,
): Promise<CampaignSettings> {
  if (given.owner === 'me' && context.caller.user_id === null)
    throw asRefusal({ owner: 'owner: a token without a user can’t own a campaign; give a user’s id' });
  const owner = given.owner === 'me' ? context.caller.user_id : given.owner;
  const said = Object.entries({ ...given, owner }).filter(([, value]) => value !== undefined);
  const after: CampaignSettings = { ...before, ...(Object.fromEntries(said) as Partial<CampaignSettings>) };
  stop(asRefusal(await strangers(context.db, { owner, postal_address_id: given.postal_address_id })));
  stop(refusedDays(after));
  return after;
}

const author = ({ caller, now }: WriteContext) => ({ by: caller.principal, now });

const create = bind(campaignCreate, async (context, { name, ...given }) => {
  const settings = await settingsAfter(context, { name, ...DEFAULTS }, given);
  const id = await insertCampaign(context.db, settings, { copied_from: null }, author(context));
  return await touched(context, id);
});

const clone = bind(campaignClone, async (context, { campaign: id, name }) => {
  const source = await loadCampaign(context.db, context.caller, 'outreach.campaign.clone', id);
  const settings = settingsOfClone(source, name);
  const copy = await insertCampaign(context.db, settings, { copied_from: source.id }, author(context));
  await copySteps(context.db, source.id, copy);
  return await touched(context, copy);
});

const update = bind(campaignUpdate, async (context, { campaign: id, revision, ...given }) => {
  const campaign = await lockCampaign(context.db, context.caller, 'outreach.campaign.write', id);
  context.about(campaignName(campaign.id));
  stop(refusedArchived(campaign) ?? refusedAsStale(campaign, revision));
  const settings = await settingsAfter(context, settingsOf(campaign), given);
  const changed = await saveSettings(context.db, campaign, settings, author(context));
  if (campaign.state !== 'draft') {
    const by = mayActivate(context.caller, campaign.id) ? 'may_activate' : 'may_not';
    await saveEased(context.db, campaign, easedAfter(campaign.eased, settingsOf(campaign), settings, by));
  }
  const said = saidByLetters(settingsOf(campaign), settings);
  if (said) {
    const edit = { by_wire: maySetReview(context.caller, campaign.id), ...author(context) };
    await lettersTouchedByCampaign(context.db, context.app, { campaign_id: campaign.id, ...said }, edit);
    context.tell('sends', campaign.id);
  }
  // Hours, caps or the postal address may be what letters waited for.
  if (changed) await wakeCampaign(context, campaign.id);
  return await touched(context, campaign.id);
});

const remove = bind(campaignDelete, async (context, { campaign: id }) => {
  const campaign = await lockCampaign(context.db, context.caller, 'outreach.campaign.delete', id);
  context.about(campaignName(campaign.id));
  const says = 'only a draft without people or letters can be deleted: archive this campaign instead';
  if (campaign.state !== 'draft') throw conflict(says, { state: campaign.state });
  if (!(await deleteCampaign(context.db, campaign))) throw conflict(says, { state: campaign.state });
  context.tell('campaigns', campaign.id);
  return { ok: true as const };
});

export const campaignHandlers = [list, create, clone, read, update, remove];
