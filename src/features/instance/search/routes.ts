// Answers which routes fit the words, in few enough characters that a model can ask often: arguments that aren't required are
// left out from the last result up, and counted.
import { argumentLine } from '../../../kernel/argument-line.ts';
import type { AnyOperation } from '../../../kernel/operation.ts';
import { routeFinder } from '../../../kernel/route-finder.ts';
import { bind } from '../../../kernel/context.ts';
import { short } from '../digests/section.ts';
import { type FoundRoute, routeFind } from './routes.contract.ts';

/** Of the whole answer, where five or fewer routes are asked for; of each route beyond that. */
const CHARS = 1_450;
const EACH = CHARS / 5;
const DOES_CHARS = 110;
/** Whole lines first, then shorter ones. */
const LINES = [600, 300, 160, 100, 70, 40, 0];

export const routes = bind(routeFind, async ({ app }, { query, limit }) => {
  const found = routeFinder(app.operations).find(query, limit);
  const room = Math.max(CHARS, found.length * EACH);
  const lines = found.map(() => 0);
  const written = (): FoundRoute[] => found.map((op, at) => routeOf(op, LINES[lines[at] ?? 0] ?? 0));
  // The first results are what was most likely meant: they are the last to be shortened.
  for (let step = 1; step < LINES.length; step += 1)
    for (let at = found.length - 1; at >= 0 && JSON.stringify(written()).length > room; at -= 1)
      lines[at] = step;
  return { routes: written() };
});

function routeOf(op: AnyOperation, chars: number): FoundRoute {
  const people = op.who !== 'anyone' && !('scripts_scope' in op.who);
  return {
    method: op.method,
    path: op.path,
    does: short(op.says, DOES_CHARS),
    arguments: argumentLine(op, chars),
    ...(op.wire !== 'never' && !op.wire.when && { needs: 'wire' as const }),
    ...(people && { needs: 'a person' as const }),
  };
}
