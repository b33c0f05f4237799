// Runs a tool as one of the operations it may call. The gates are the operation’s.
import { withIds } from './by-name.ts';
import type { Caller } from './caller.ts';
import { refusedBeforeReading } from './gates.ts';
import type { App } from './app.ts';
import { freshRequest, invoke, type Outcome } from './invoke.ts';
import { brief, sparse } from './lean.ts';
import { withLinks } from './open-at.ts';
import type { AnyOperation } from './operation.ts';
import { parseArguments } from './parse.ts';
import type { RequestFacts } from './context.ts';
import type { Tool } from './tool.ts';
import { understood } from './understood.ts';

/**
 * Runs a tool: picks its operation by the arguments, after the gates that need none. Where every operation it may call
 * refuses this caller, the first one's refusal is the answer, and the arguments are never looked at.
 */
export async function invokeTool(
  app: App,
  tool: Tool,
  caller: Caller,
  given: unknown,
  request: RequestFacts = freshRequest(),
): Promise<Outcome> {
  const [first] = tool.calls;
  if (!first) throw new Error(`the tool ${tool.name} calls nothing`);
  const now = app.clock.now();
  // Names are read twice: as the tool's own arguments, and as those of the operation that it comes to.
  const pick = async () =>
    tool.pick(parseArguments(tool.takes, await withIds(app, asked(first, tool), caller, given)));
  if (tool.calls.length === 1 || tool.calls.every((op) => refusedBeforeReading(op, caller, now)))
    return told(app, tool, first, caller, async () => (await pick()).arguments, request);
  const { operation, arguments: args } = await pick();
  return told(app, tool, operation, caller, async () => args, request);
}

/** What an agent is told of an act: few fields of each row, and the screens where a person goes on. */
async function told(
  app: App,
  tool: Tool,
  operation: AnyOperation,
  caller: Caller,
  read: () => Promise<unknown>,
  request: RequestFacts,
): Promise<Outcome> {
  const given = async () => understood(app, operation, caller, await read());
  const outcome = await invoke(app, operation, caller, given, request);
  const answer = withLinks(app.instance, brief(operation, outcome.answer));
  return { ...outcome, answer: tool.sparse ? sparse(answer) : answer };
}

const asked = (op: AnyOperation, { takes }: Tool) => ({ ...op, takes });
