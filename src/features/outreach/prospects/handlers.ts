// Handlers of prospects: load, rule, save, say.
import { z } from 'zod';
import { isPerson } from '../../../kernel/caller.ts';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { conflict } from '../../../kernel/refusal.ts';
import { bind, type Bound, type WriteContext } from '../../../kernel/context.ts';
import { loadCampaign } from '../campaigns/store.ts';
import {
  campaignSpine,
  prospectHold,
  prospectList,
  prospectRead,
  prospectRelease,
  prospectRemove,
  prospectSpine,
} from './contract.ts';
import { campaignEnrol } from './enrol.contract.ts';
import { enrol, wouldEnrol } from './enrol/enrol.ts';
import { factsOfProspect } from './history.store.ts';
import { holdProspect, releaseProspect } from './stepping/hold.store.ts';
import { endProspect, moveSpine } from './spine/move.store.ts';
import { campaignName } from './names.rules.ts';
import { hasFailedLetter } from './stepping/over.store.ts';
import type { SpineMove, Stage } from './spine/spine.rules.ts';
import { STEPS_DUE } from './stepping/steps.store.ts';
import {
  listProspects,
  type LoadedProspect,
  loadProspect,
  loadProspectOf,
  lockProspect,
  readAgain,
} from './store.ts';

const HISTORY_SHOWN = 100;

const list = bind(prospectList, async ({ db, caller, now }, { campaign, limit, cursor, ...filters }) => {
  const { id } = await loadCampaign(db, caller, 'outreach.campaign.read', campaign);
  const after = keyIn(cursor, () => z.tuple([z.guid()]));
  const search = { campaign_id: id, ...filters, after: after?.[0] ?? null, count: limit + 1 };
  return pageOf(await listProspects(db, caller, search, now), limit, (row) => [row.id]);
});

const read = bind(prospectRead, async ({ db, caller, now }, args) => {
  const prospect = await loadProspect(db, caller, 'outreach.prospect.read', args.prospect, now);
  return { prospect, history: await factsOfProspect(db, prospect.id, HISTORY_SHOWN) };
});

async function say(context: WriteContext, id: string): Promise<{ prospect: LoadedProspect }> {
  context.about(`outreach:prospect/${id}`);
  context.tell('prospects', id);
  context.tell(STEPS_DUE, '');
  return { prospect: await readAgain(context.db, context.caller, id, context.now) };
}

const hold = bind(prospectHold, async (context, { prospect: id, reason, until }) => {
  const { db, caller, now } = context;
  const prospect = await lockProspect(db, caller, 'outreach.prospect.hold', id, now);
  if (prospect.ended !== null)
    throw conflict('this person gets no more letters from this campaign, so there is nothing to hold', {
      ended: prospect.ended,
    });
  const end = until === undefined ? null : new Date(until);
  if (end !== null && end <= now) throw conflict('until is in the past: give a future time, or leave it out');
  const by = isPerson(caller) ? 'person' : 'agent';
  await holdProspect(db, { prospect_id: prospect.id, by, reason, until: end }, caller.principal, now);
  return say(context, prospect.id);
});

export const LETTER_FAILED =
  'this person’s letter failed and never arrived: resend it with POST /api/admin/outreach/sends/:send/resend, or release them with skip_failed: true to continue with the next step';

const release = bind(prospectRelease, async (context, { prospect: id, skip_failed = false }) => {
  const { db, caller, now } = context;
  const prospect = await lockProspect(db, caller, 'outreach.prospect.release', id, now);
  if (!skip_failed && prospect.hold?.by === 'system' && (await hasFailedLetter(db, prospect.id)))
    throw conflict(LETTER_FAILED, { failed_send_id: prospect.failed_send_id });
  await releaseProspect(db, prospect.id, caller.principal, now);
  return say(context, prospect.id);
});

const remove = bind(prospectRemove, async (context, { prospect: id }) => {
  const { db, caller, now } = context;
  const prospect = await lockProspect(db, caller, 'outreach.prospect.remove', id, now);
  await endProspect(db, prospect.id, 'removed', caller.principal, now);
  return say(context, prospect.id);
});

async function move(
  context: WriteContext,
  { id }: LoadedProspect,
  stage: Stage,
  reason: string | undefined,
): Promise<SpineMove> {
  const { db, caller, now } = context;
  const cause = isPerson(caller) ? 'person' : 'agent';
  const done = await moveSpine(db, { prospect_id: id, stage, cause, reason }, caller.principal, now);
  if (!done) throw new Error('a prospect that was just read is gone');
  await say(context, id);
  if (stage === 'unsubscribed') context.tell('suppressions', '');
  return { moved: done.moved, stage: done.stage, asked: done.asked, sentence: done.sentence };
}

// Not locked first: an opt-out takes all of the person's rows, in their order.
const spine = bind(prospectSpine, async (context, { prospect: id, stage, reason }) => {
  const { db, caller, now } = context;
  return move(context, await loadProspect(db, caller, 'outreach.prospect.spine', id, now), stage, reason);
});

const spineOf = bind(campaignSpine, async (context, { campaign, person_id, stage, reason }) => {
  const { db, caller, now } = context;
  const named = { campaign_id: campaign, person_id };
  return move(
    context,
    await loadProspectOf(db, caller, 'outreach.prospect.spine', named, now),
    stage,
    reason,
  );
});

const enrolling = bind(campaignEnrol, async (context, { campaign, people, segment, dry_run }) => {
  const { db, caller, now } = context;
  context.about(campaignName(campaign));
  const of = context.request.people_of?.get(segment ?? '') ?? null;
  const whom = people === undefined ? { segment: segment ?? '', of } : { people };
  if (dry_run === true) return wouldEnrol(db, caller, campaign, whom, now);
  const done = await enrol(db, caller, campaign, whom, now);
  context.tell('campaigns', campaign);
  context.tell('prospects', '');
  context.tell(STEPS_DUE, '');
  return done;
});

export const prospectHandlers: Bound[] = [list, read, hold, release, remove, spine, spineOf, enrolling];
