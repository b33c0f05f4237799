// Adds and removes a person’s tags. Repeating it changes nothing, so it needs no key.
import type { Caller } from '../../../../kernel/caller.ts';
import type { App } from '../../../../kernel/app.ts';
import { freshRequest, invoke } from '../../../../kernel/invoke.ts';
import { Refusal } from '../../../../kernel/refusal.ts';
import { type Person, personRead, personUpdate } from '../../../crm/people/contract.ts';
import type { DueRun } from '../run/pass.store.ts';

const TRIES = 3;

export const tagsAfter = (
  tags: readonly string[],
  { add, remove }: { add: string[]; remove: string[] },
): string[] => [...new Set([...tags, ...add])].filter((tag) => !remove.includes(tag));

export async function tagPerson(
  app: App,
  run: DueRun,
  hand: () => Promise<Caller>,
  { person: id, add, remove }: { person: string; add: string[]; remove: string[] },
  signal: AbortSignal,
  tries = TRIES,
): Promise<{ person_id: string; tags: string[] }> {
  const request = () => freshRequest({ id: run.step_row, signal });
  const { answer } = await invoke(app, personRead, await hand(), () => ({ person: id }), request());
  const { person } = answer as { person: Person };
  const tags = tagsAfter(person.tags, { add, remove });
  const same = tags.length === person.tags.length && tags.every((tag, i) => tag === person.tags[i]);
  if (same) return { person_id: person.id, tags };
  try {
    const change = { person: person.id, revision: person.revision, tags };
    await invoke(app, personUpdate, await hand(), () => change, request());
    return { person_id: person.id, tags };
  } catch (error) {
    // Someone else changed them in between: looked at again.
    if (!(error instanceof Refusal) || error.code !== 'conflict' || tries <= 1) throw error;
    return tagPerson(app, run, hand, { person: id, add, remove }, signal, tries - 1);
  }
}
