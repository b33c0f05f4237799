// A manual step: it creates a work item through the board’s own act, as the person who activated the campaign.
import type { App } from '../../../../kernel/app.ts';
import { freshRequest, invoke } from '../../../../kernel/invoke.ts';
import { Refusal } from '../../../../kernel/refusal.ts';
import type { MergeValues } from '../../../../mail/letters/letter.ts';
import { renderText } from '../../../../mail/letters/render.ts';
import type { Task } from '../../sequences/contract.ts';
import { itemCreate } from '../../../work/work/items.contract.ts';
import { activatorOf } from './activator.ts';
import { type StepPlace, projectOfUser } from './stepping.store.ts';

export type Tasked = { item_id: string } | { refused: string };

/** A second try for the same step makes no second item: the key is the step's. */
export async function openTask(
  app: App,
  place: StepPlace,
  { step_id, task, values }: { step_id: string; task: Task; values: MergeValues },
  now: Date,
): Promise<Tasked> {
  const caller = await activatorOf(app.database.reader, place.campaign_id, now);
  if (!caller) return { refused: 'the person who activated the campaign lost access: activate it again' };
  const project =
    task.project_id ?? (caller.user_id && (await projectOfUser(app.database.reader, caller.user_id)));
  if (!project) return { refused: 'the task names no project: name one in the sequence' };
  const title = (renderText(task.title, values) ?? task.title).trim().slice(0, 300).toWellFormed();
  const given = {
    project,
    title: title === '' ? `Write to someone in ${place.campaign_name}`.slice(0, 300) : title,
    description: renderText(task.description, values) ?? task.description,
    status: 'todo',
    labels: [task.channel],
    ...(task.assignee !== null && { assignee: task.assignee }),
    links: [
      { kind: 'person', ref: place.person_id },
      { kind: 'campaign', ref: place.campaign_id },
    ],
  };
  const request = freshRequest({ idempotency_key: `prospect ${place.id} step ${step_id}` });
  try {
    const { answer } = await invoke(app, itemCreate, caller, () => given, request);
    return { item_id: (answer as { item: { id: string } }).item.id };
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.sentence };
    throw error;
  }
}
