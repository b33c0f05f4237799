// Handlers of sequences: read, replace with every fault at once, and upload what a letter carries.
import { maySetReview } from '../campaigns/review.rules.ts';
import { newId } from '../../../kernel/ids.ts';
import { refusalNaming } from '../../../kernel/parse.ts';
import { changedSince, stop } from '../../../kernel/refusal.ts';
import { bind } from '../../../kernel/context.ts';
import { campaignName, refusedArchived } from '../campaigns/rules.ts';
import { loadCampaign, lockCampaign, readAgain } from '../campaigns/store.ts';
import { lettersTouchedBySequence } from '../sends/draft/reached.store.ts';
import {
  attachmentCreate,
  sequenceRead,
  sequenceSave,
  type SequenceStep,
  type StepGiven,
} from './contract.ts';
import { keepFile } from './file.store.ts';
import { changedLetters, faultsOf, type NamedStep, ruleUpload } from './rules.ts';
import { saveSteps, stepsWithLetters } from './save.store.ts';
import { attachmentsAmong, foreignSteps, readingOf, sequenceOf, stepsOf } from './store.ts';
import { stepFiles } from './waiting.store.ts';

const read = bind(sequenceRead, async ({ db, caller }, { campaign: id }) => {
  return { sequence: await sequenceOf(db, await loadCampaign(db, caller, 'outreach.sequence.read', id)) };
});

const asGiven = ({ id, attachments, ...step }: SequenceStep): [string, StepGiven] => [
  id,
  { ...step, attachments: attachments.map((each) => each.id) },
];

const save = bind(sequenceSave, async (context, { campaign: id, revision, steps: given }) => {
  const { db, caller, now } = context;
  const campaign = await lockCampaign(db, caller, 'outreach.sequence.write', id);
  context.about(campaignName(campaign.id));
  stop(refusedArchived(campaign));
  if (campaign.sequence_revision !== revision)
    throw changedSince('this sequence', campaign.sequence_revision);
  const steps: NamedStep[] = given.map((step) => ({ ...step, id: step.id ?? newId() }));
  const before = await stepsOf(db, campaign.id);
  const old = new Map(before.map(asGiven));
  const faults = faultsOf(steps, {
    ...(await readingOf(db)),
    attachments: await attachmentsAmong(
      db,
      campaign.id,
      steps.flatMap((step) => step.attachments),
    ),
    foreign: await foreignSteps(
      db,
      campaign.id,
      steps.map((step) => step.id),
    ),
  });
  const written = await stepsWithLetters(db, [...old.keys()]);
  for (const [at, { id: step, kind }] of steps.entries())
    if (written.has(step) && old.get(step)?.kind !== kind)
      faults.push([
        `steps.${at}.kind`,
        `steps.${at}.kind: this step already has letters, so it must stay a letter`,
      ]);
  if (faults.length > 0) throw refusalNaming(faults);
  const by_wire = maySetReview(caller, campaign.id);
  await saveSteps(db, campaign, before, steps, { by_wire }, { by: caller.principal, now });
  const changed = changedLetters(old, steps);
  const of = { campaign_id: campaign.id, step_ids: changed };
  const edit = { by_wire, by: caller.principal, now };
  if (changed.length > 0) await lettersTouchedBySequence(db, context.app, of, edit);
  context.tell('sends', campaign.id);
  context.tell('campaigns', campaign.id);
  return { sequence: await sequenceOf(db, await readAgain(db, campaign.id)) };
});

const attach = bind(attachmentCreate, async (context, { campaign: id, ...file }) => {
  const campaign = await lockCampaign(context.db, context.caller, 'outreach.sequence.write', id);
  context.about(campaignName(campaign.id));
  stop(refusedArchived(campaign) ?? ruleUpload(await stepFiles.countIn(context.db, campaign.id)));
  return { attachment: await keepFile(context.db, file, { campaign_id: campaign.id }, context.now) };
});

export const sequenceHandlers = [read, save, attach];
