// Who hears of a run by a step that notifies, and how that is marked: it says whose words it is, and reaches only people who may
// read the run themselves.
import type { House } from '../../../../kernel/house.ts';
import { decide } from '../../../../kernel/policy.ts';
import { callerNow } from '../../../access/policies/standing.ts';
import type { DueRun } from '../run/pass.store.ts';
import { namesOfRun } from '../runs.contract.ts';

const SENTENCE_CHARS = 300;

/** The workflow's name comes first, so that nobody takes it for a sentence of the product's. */
export const signed = ({ acting: { workflow } }: DueRun, sentence: string): string => {
  const says = `${workflow.name}: ${sentence}`;
  return says.length > SENTENCE_CHARS ? `${says.slice(0, SENTENCE_CHARS - 1).toWellFormed()}…` : says;
};

export async function readersOf(
  { ground, clock }: House,
  { id, acting: { workflow } }: DueRun,
  users: readonly string[],
): Promise<string[]> {
  const there: string[] = [];
  for (const user of users) {
    const by = { kind: 'person' as const, id: user, name: '' };
    const road = { turn: 'direct', surface: 'pass' } as const;
    const reader = await callerNow(ground.reader, { by, token: null }, road, clock.now());
    if (reader && decide(reader.rights, 'run.read', namesOfRun(id, workflow.id)).allowed) there.push(user);
  }
  return there;
}
