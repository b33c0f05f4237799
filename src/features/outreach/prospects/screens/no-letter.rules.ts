// Why there is no letter to someone of a campaign, in the order in which the product asks: what is over, who keeps them back,
// whether the campaign runs, what their step waits for.
import type { Campaign } from '../../campaigns/contract.ts';
import type { Prospect } from '../contract.ts';
import { stands } from './words.ts';

export type NoLetter = {
  sentence: string;
  /** What lifts it and who can, or what happens on its own. */
  fix: string;
  until: string | null;
  /** Nothing is wrong: time or someone's work comes first. */
  waits: boolean;
};

const STOPPED: Partial<Record<Campaign['state'], string>> = {
  draft: 'The campaign is a draft. No letters go out yet.',
  paused: 'The campaign is paused.',
  finished: 'The campaign is finished.',
};

export function noLetter(prospect: Prospect, { state }: Pick<Campaign, 'state'>): NoLetter {
  const { ended, hold, step_id, next_at, item_id, stage } = prospect;
  const why = (sentence: string, fix: string, until: string | null = null, waits = false): NoLetter => ({
    sentence,
    fix,
    until,
    waits,
  });
  const standing = stands(prospect) ?? '';
  if (!ended && prospect.failed_send_id !== null)
    return why(
      'The letter to this person failed and wasn’t delivered.',
      'Fix the cause, then resend the letter.',
    );
  if (ended)
    return why(
      `${standing}.`,
      'This can’t be changed. To write to this person again, enrol them in another campaign.',
    );
  if (hold)
    return hold.until
      ? why(
          `${standing}.`,
          'Release this person under People to continue earlier. The hold ends:',
          hold.until,
        )
      : why(`${standing}.`, 'To continue, select this person under People, then choose Release.');
  if (state === 'archived')
    return why('The campaign is archived.', 'Clone the campaign, then enrol this person in the copy.');
  const stopped = STOPPED[state];
  if (stopped) return why(stopped, 'Activate or resume the campaign at the top of the page.');
  if (item_id !== null)
    return why(
      'The current step is a task that isn’t done.',
      'The sequence continues when someone completes the task on the work board.',
      null,
      true,
    );
  if (step_id === null && stage !== 'enrolled')
    return why('All steps are done.', 'To continue, add a step to the campaign.', null, true);
  if (step_id === null && next_at === null)
    return why('No step has started.', 'A new step starts within a minute.', null, true);
  return why(
    'Nothing is wrong. The next letter is drafted when its step is due.',
    next_at === null ? 'Drafting takes up to a minute.' : 'The step is due:',
    next_at,
    true,
  );
}
