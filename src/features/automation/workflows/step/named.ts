// Resolves `{{ trigger.person_name }}`: triggers name people by id only, but titles are for people. The name is
// looked up when a step asks for it, as whoever the run acts for, and is saved only in what the step makes of it.
import type { Caller } from '../../../../kernel/caller.ts';
import type { App } from '../../../../kernel/app.ts';
import { isUuid } from '../../../../kernel/ids.ts';
import { freshRequest, invoke } from '../../../../kernel/invoke.ts';
import { Refusal } from '../../../../kernel/refusal.ts';
import { type Person, personRead } from '../../../crm/people/contract.ts';
import type { DueRun } from '../run/pass.store.ts';
import { referencesIn } from './template.rules.ts';

/** A person who was deleted, or whose name the run may not read. */
const UNNAMED = 'someone';

export async function withName(
  app: App,
  run: DueRun,
  caller: Caller,
  trigger: Record<string, unknown>,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const { person_id: person } = trigger;
  const asked = referencesIn(run.step?.input).some(
    ({ root, ...reference }) =>
      root === 'trigger' && 'keys' in reference && reference.keys[0] === 'person_name',
  );
  if (!asked || 'person_name' in trigger || typeof person !== 'string' || !isUuid(person)) return trigger;
  return { ...trigger, person_name: await nameOf(app, run, caller, person, signal) };
}

async function nameOf(
  app: App,
  run: DueRun,
  caller: Caller,
  person: string,
  signal: AbortSignal,
): Promise<string> {
  try {
    const request = freshRequest({ id: run.step_row, signal });
    const { answer } = await invoke(app, personRead, caller, () => ({ person }), request);
    const { name, addresses } = (answer as { person: Person }).person;
    return name.trim() || addresses[0]?.value || UNNAMED;
  } catch (error) {
    if (error instanceof Refusal && [403, 404].includes(error.status)) return UNNAMED;
    throw error;
  }
}
