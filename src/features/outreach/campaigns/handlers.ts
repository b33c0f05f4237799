// Handlers of campaigns as settings: find, make, copy, read, change, delete. What starts and reviews them stands beside.
import { z } from 'zod';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { conflict, stop } from '../../../kernel/refusal.ts';
import { bind, type ReadScene, type WriteScene } from '../../../kernel/scene.ts';
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
import { countsOf } from './figures/counts.store.ts';
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
  { db, now }: Pick<ReadScene, 'db' | 'now'>,
  { ...campaign }: LoadedCampaign,
): Promise<{ campaign: Campaign }> {
  const counts = (await countsOf(db, [campaign], now)).get(campaign.id);
  if (!counts) throw new Error('a campaign that was just read has no counts');
  return { campaign: { ...campaign, counts, seen: await seenOfCampaign(db, campaign) } };
}

/** Refuses an act on a campaign that is another than its caller looked at. */
export async function demandSeen(
  { db }: Pick<WriteScene, 'db'>,
  campaign: LoadedCampaign,
  given: string | undefined,
  read: string,
): Promise<void> {
  stop(refusedAsUnseen(given, await seenOfCampaign(db, campaign), { noun: 'campaign', read }));
}

/** What an act answers with: the campaign as it left it. Open screens are told. */
export async function touched(scene: WriteScene, id: string): Promise<{ campaign: Campaign }> {
  scene.about(campaignName(id));
  scene.tell('campaigns', id);
  return await shown(scene, await readAgain(scene.db, id));
}

/** What letters of it waited for may be there now. */
export async function wakeCampaign(scene: WriteScene, campaign_id: string): Promise<void> {
  await wakeLetters(scene.db, { campaign_id }, scene.now);
  scene.tell(LETTERS_DUE, campaign_id);
}

const read = bind(campaignRead, async (scene, { campaign }) => {
  return await shown(scene, await loadCampaign(scene.db, scene.caller, 'outreach.campaign.read', campaign));
});

type Given = { [Field in keyof CampaignSettings]?: CampaignSettings[Field] | undefined };

/** Settings with what was given laid over them; refused where it names nobody, or days that are none. */
async function settingsAfter(
  scene: WriteScene,
  before: CampaignSettings,
  given: Given,
): Promise<CampaignSettings> {
  if (given.owner === 'me' && scene.caller.user_id === null)
    throw asRefusal({ owner: 'owner: a token of nobody cannot own a campaign, name a user' });
  const owner = given.owner === 'me' ? scene.caller.user_id : given.owner;
  const said = Object.entries({ ...given, owner }).filter(([, value]) => value !== undefined);
  const after: CampaignSettings = { ...before, ...(Object.fromEntries(said) as Partial<CampaignSettings>) };
  stop(asRefusal(await strangers(scene.db, { owner, postal_address_id: given.postal_address_id })));
  stop(refusedDays(after));
  return after;
}

const author = ({ caller, now }: WriteScene) => ({ by: caller.principal, now });

const create = bind(campaignCreate, async (scene, { name, ...given }) => {
  const settings = await settingsAfter(scene, { name, ...DEFAULTS }, given);
  const id = await insertCampaign(scene.db, settings, { copied_from: null }, author(scene));
  return await touched(scene, id);
});

const clone = bind(campaignClone, async (scene, { campaign: id, name }) => {
  const source = await loadCampaign(scene.db, scene.caller, 'outreach.campaign.clone', id);
  const settings = settingsOfClone(source, name);
  const copy = await insertCampaign(scene.db, settings, { copied_from: source.id }, author(scene));
  await copySteps(scene.db, source.id, copy);
  return await touched(scene, copy);
});

const update = bind(campaignUpdate, async (scene, { campaign: id, revision, ...given }) => {
  const campaign = await lockCampaign(scene.db, scene.caller, 'outreach.campaign.write', id);
  scene.about(campaignName(campaign.id));
  stop(refusedArchived(campaign) ?? refusedAsStale(campaign, revision));
  const settings = await settingsAfter(scene, settingsOf(campaign), given);
  const changed = await saveSettings(scene.db, campaign, settings, author(scene));
  if (campaign.state !== 'draft') {
    const by = mayActivate(scene.caller, campaign.id) ? 'may_activate' : 'may_not';
    await saveEased(scene.db, campaign, easedAfter(campaign.eased, settingsOf(campaign), settings, by));
  }
  const said = saidByLetters(settingsOf(campaign), settings);
  if (said) {
    const edit = { by_wire: maySetReview(scene.caller, campaign.id), ...author(scene) };
    await lettersTouchedByCampaign(scene.db, scene.house, { campaign_id: campaign.id, ...said }, edit);
    scene.tell('sends', campaign.id);
  }
  // Hours, caps or the postal address may be what letters waited for.
  if (changed) await wakeCampaign(scene, campaign.id);
  return await touched(scene, campaign.id);
});

const remove = bind(campaignDelete, async (scene, { campaign: id }) => {
  const campaign = await lockCampaign(scene.db, scene.caller, 'outreach.campaign.delete', id);
  scene.about(campaignName(campaign.id));
  const says = 'only a draft without people and letters is deleted: archive this campaign instead';
  if (campaign.state !== 'draft') throw conflict(says, { state: campaign.state });
  if (!(await deleteCampaign(scene.db, campaign))) throw conflict(says, { state: campaign.state });
  scene.tell('campaigns', campaign.id);
  return { ok: true as const };
});

export const campaignHandlers = [list, create, clone, read, update, remove];
