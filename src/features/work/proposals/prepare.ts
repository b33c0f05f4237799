// Prepares what is saved of a proposal: arguments as they will be performed, as people are shown them, and marks of the records
// they name.
import type { ReadContext } from '../../../kernel/context.ts';
import { withSeen } from '../../../kernel/seen-now.ts';
import { type Acts, ofStep } from './named.ts';
import { type Binding, takesPeople } from './binding.ts';
import type { Mark } from './bound.rules.ts';
import type { NewProposal, Step } from './proposals.store.ts';
import { withoutSecrets } from './rules.ts';
import { thingsIn } from './things.ts';

export type Prepared = Pick<NewProposal, 'arguments' | 'shown' | 'things' | 'bound'>;

/** Read as the proposer. Throws a Refusal that says which step it is about. */
export async function prepare(
  binding: Binding,
  { app, caller }: ReadContext,
  { plan, acts }: Acts,
  now: Date,
): Promise<Prepared> {
  const bound: Mark[] = [];
  const steps: Step[] = [];
  const things: NewProposal['things'] = {};
  for (const [at, { operation, arguments: given }] of acts.entries()) {
    try {
      const asSet = takesPeople(app, operation.name);
      bound.push(...(await binding.now(app.database.reader, caller, given, asSet, now)));
      // What a plan's own steps change would not be as it was seen: the marks say what it was proposed on.
      const args = plan ? given : await withSeen(app, caller, operation, given);
      steps.push({ act: operation.name, arguments: args });
      for (const [argument, thing] of Object.entries(await thingsIn(app, caller, args)))
        things[plan ? `steps.${at}.${argument}` : argument] = thing;
    } catch (error) {
      throw plan ? ofStep(at, error) : error;
    }
  }
  const [one] = steps;
  const args: Record<string, unknown> = plan ? { steps } : (one?.arguments ?? {});
  return { arguments: args, shown: withoutSecrets(args), things, bound: onceEach(bound) };
}

const onceEach = (marks: readonly Mark[]): Mark[] => [
  ...new Map(marks.map((mark) => [`${mark.kind} ${mark.id}`, mark])).values(),
];
