// One person taken on: their letter is drafted, their task opened, their branch decided, or they are through (domain.md §1.1).
// Each in a transaction of its own, under the lease it was claimed with; a letter then goes its own way, and its going takes
// the person to the next step (steps.store.ts).
import { HOUR_MS, MINUTE_MS, after } from '../../../../kernel/clock.ts';
import type { Reader, Transaction } from '../../../../kernel/database.ts';
import type { App } from '../../../../kernel/app.ts';
import type { MergeValues } from '../../../../mail/letters/letter.ts';
import { draftLetter } from '../../sends/draft/draft.store.ts';
import { LETTERS_DUE } from '../../sends/letter/flow.store.ts';
import type { LetterHand } from '../../sends/letter/save.store.ts';
import { lockRows } from '../../sends/letter/send.store.ts';
import { applyStop } from '../../sends/gates/stops.ts';
import { recipientOf } from '../../sends/draft/source.store.ts';
import { holds } from './branch.rules.ts';
import { holdProspect } from './hold.store.ts';
import { STEPPING } from '../names.rules.ts';
import { firstStep, stepAfter, stepNamed } from './steps.rules.ts';
import { positionOf, standAt, type ProspectStep, standingSteps } from './steps.store.ts';
import {
  type DueProspect,
  lockPlace,
  lookAgainAt,
  type StepPlace,
  placeOf,
  statusOfItem,
  waitForItem,
} from './stepping.store.ts';
import { openTask } from './task.ts';

/** No one active sends for the campaign, or an item is not done: looked at again after this. */
const LOOK_AGAIN_MS = 10 * MINUTE_MS;
/** A sequence has at most fifty steps, and goes forward alone. */
const MOST_STEPS = 60;

/** Which item was opened for which step, before the transaction that keeps it: nothing outside waits while a row is locked. */
type Opened = { step_id: string; task: Awaited<ReturnType<typeof openTask>> } | null;

export async function stepOn(app: App, due: DueProspect): Promise<void> {
  const now = app.clock.now();
  const opened = await openDueTask(app, due, now);
  const drafted = await app.database.transact(async (tx) => {
    const place = await lockPlace(tx, due, now);
    return place ? await takeOn(app, tx, place, opened, now) : false;
  });
  if (!drafted) return;
  app.database.tell([
    { topic: 'sends', id: '' },
    { topic: LETTERS_DUE, id: '' },
  ]);
}

async function openDueTask(app: App, due: DueProspect, now: Date): Promise<Opened> {
  const db = app.database.reader;
  const place = await placeOf(db, due.id);
  if (!place?.step_id || place.item_id !== null || (place.due_at && place.due_at > now)) return null;
  const steps = (await standingSteps(db, [place.campaign_id])).get(place.campaign_id) ?? [];
  const step = steps.find(({ id }) => id === place.step_id);
  if (!step?.task) return null;
  const { values } = await factsOf(db, place);
  return {
    step_id: step.id,
    task: await openTask(app, place, { step_id: step.id, task: step.task, values }, now),
  };
}

/** True where a letter was drafted. */
async function takeOn(
  app: App,
  tx: Transaction,
  place: StepPlace,
  opened: Opened,
  now: Date,
): Promise<boolean> {
  const steps = (await standingSteps(tx, [place.campaign_id])).get(place.campaign_id) ?? [];
  let at = await present(tx, steps, place, now);
  for (let n = 0; n < MOST_STEPS && at !== null; n++) {
    const { step, due_at } = at;
    if (step.id !== place.step_id || n > 0) await standAt(tx, place.id, at, now);
    if (step.kind === 'letter') return await draft(app, tx, place, step, due_at, now);
    if (due_at > now) {
      await lookAgainAt(tx, place.id, due_at);
      return false;
    }
    if (step.kind === 'task') {
      const done = await taskDone(tx, place, step, n === 0 ? opened : null, now);
      if (!done) return false;
      at = stepAfter(steps, step.position, now, now);
      continue;
    }
    const yes = step.branch !== null && holds(step.branch.on, await factsOf(tx, place));
    at = stepNamed(steps, (yes ? step.branch?.yes : step.branch?.no) ?? null, now, now);
  }
  await standAt(tx, place.id, null, now);
  return false;
}

/** The step they are at; the first one where they have not begun, the next one where theirs was taken out. */
async function present(tx: Transaction, steps: readonly ProspectStep[], place: StepPlace, now: Date) {
  const { step_id, due_at, next_at, activated_at, first_delay_hours } = place;
  if (step_id === null) {
    const from = next_at > activated_at ? next_at : activated_at;
    return firstStep(steps, after(from, first_delay_hours * HOUR_MS), now);
  }
  const step = steps.find(({ id }) => id === step_id);
  if (step) return { step, due_at: due_at ?? next_at, next_at };
  const next = stepAfter(steps, (await positionOf(tx, step_id)) - 1, due_at ?? now, now);
  return next;
}

async function draft(
  app: App,
  tx: Transaction,
  { id: prospect_id }: StepPlace,
  { id: step_id }: ProspectStep,
  scheduled_for: Date,
  now: Date,
): Promise<boolean> {
  const made = await draftLetter(tx, app, { prospect_id, step_id, scheduled_for }, STEPPING, now);
  if (made.drafted && made.readdressed) {
    const emit: LetterHand['emit'] = async (event, data) =>
      void (await app.database.emit(tx, event, data, now));
    for (const row of await lockRows(tx, [made.send_id]))
      await applyStop(tx, row, { hold: 'address_changed' }, { by: STEPPING, now, emit });
  }
  if (made.drafted || made.why === 'exists' || made.why === 'ended' || made.why === 'gone') {
    await lookAgainAt(tx, prospect_id, null);
    return made.drafted;
  }
  await lookAgainAt(tx, prospect_id, after(now, LOOK_AGAIN_MS));
  if (made.why === 'no_address') {
    const reason = 'they have no address to write to: add one, then release them';
    await holdProspect(tx, { prospect_id, by: 'system', reason, until: null }, STEPPING, now);
  }
  return false;
}

/** True where the item is done, cancelled or gone. */
async function taskDone(
  tx: Transaction,
  { id: prospect_id, item_id }: StepPlace,
  step: ProspectStep,
  opened: Opened,
  now: Date,
): Promise<boolean> {
  const look = after(now, LOOK_AGAIN_MS);
  if (item_id !== null && opened === null) {
    const status = await statusOfItem(tx, item_id);
    if (status === null || status === 'done' || status === 'cancelled') return true;
    await lookAgainAt(tx, prospect_id, look);
    return false;
  }
  // Came to it just now: the item is opened when the row is claimed again.
  if (opened?.step_id !== step.id) {
    await lookAgainAt(tx, prospect_id, now);
    return false;
  }
  if ('item_id' in opened.task) {
    await waitForItem(tx, prospect_id, opened.task.item_id, look);
    return false;
  }
  await lookAgainAt(tx, prospect_id, look);
  const reason = `their task could not be opened: ${opened.task.refused}`.slice(0, 500).toWellFormed();
  await holdProspect(tx, { prospect_id, by: 'system', reason, until: null }, STEPPING, now);
  return false;
}

async function factsOf(db: Reader, { person_id, stage, campaign_name }: StepPlace) {
  const recipient = await recipientOf(db, person_id);
  const values: MergeValues = {
    person: recipient?.person ?? {},
    company: recipient?.company ?? {},
    custom: recipient?.custom ?? {},
    campaign: { name: campaign_name },
    identity: {},
  };
  const tags = recipient?.person['tags'];
  return { stage, tags: typeof tags === 'string' && tags !== '' ? tags.split(', ') : [], values };
}
