// Recipients and signature of a notify step: the notification names its workflow, and reaches only people who may
// read the run.
import type { App } from '../../../../kernel/app.ts';
import { decide } from '../../../../kernel/policy.ts';
import { callerNow } from '../../../access/policies/standing.ts';
import type { DueRun } from '../run/pass.store.ts';
import { namesOfRun } from '../runs.contract.ts';

const SENTENCE_CHARS = 300;

/** The workflow's name comes first, so that no one takes it for a sentence of the product's. */
export const signed = ({ acting: { workflow } }: DueRun, sentence: string): string => {
  const says = `${workflow.name}: ${sentence}`;
  return says.length > SENTENCE_CHARS ? `${says.slice(0, SENTENCE_CHARS - 1).toWellFormed()}…` : says;
};

export async function readersOf(
  { database, clock }: App,
  { id, acting: { workflow } }: DueRun,
  users: readonly string[],
): Promise<string[]> {
  const there: string[] = [];
  for (const user of users) {
    const by = { kind: 'person' as const, id: user, name: '' };
    const source = { turn: 'direct', surface: 'pass' } as const;
    const reader = await callerNow(database.reader, { by, token: null }, source, clock.now());
    if (reader && decide(reader.rights, 'run.read', namesOfRun(id, workflow.id)).allowed) there.push(user);
  }
  return there;
}
