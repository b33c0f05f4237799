// A tool is run as one of the operations that it may call; whatever gates there are, are that operation's.
import type { Caller } from './caller.ts';
import { refusedBeforeReading } from './gates.ts';
import type { App } from './app.ts';
import { freshRequest, invoke, type Outcome } from './invoke.ts';
import { parseArguments } from './parse.ts';
import type { RequestFacts } from './context.ts';
import type { Tool } from './tool.ts';

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
  const pick = () => tool.pick(parseArguments(tool.takes, given));
  if (tool.calls.length === 1 || tool.calls.every((op) => refusedBeforeReading(op, caller, now)))
    return invoke(app, first, caller, () => pick().arguments, request);
  const call = pick();
  return invoke(app, call.operation, caller, () => call.arguments, request);
}
