// The tools of this instance as the endpoint serves them: the request tools and what the features declare, listed once as
// bytes that never change between calls, and called under a deadline.
import type { Caller } from '../../kernel/caller.ts';
import { SECOND_MS } from '../../kernel/clock.ts';
import type { App } from '../../kernel/app.ts';
import { invokeTool } from '../../kernel/invoke-tool.ts';
import { freshRequest } from '../../kernel/invoke.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { READ_TOO_SLOW } from '../../kernel/sentences.ts';
import type { Tool } from '../../kernel/tool.ts';
import { visible } from '../../kernel/visible.ts';
import type { Router } from '../router.ts';
import { capped, type CutBy } from './cap.ts';
import { portableSchema } from './portable-schema.ts';
import { keptCall, told, withKey } from './repeated.ts';
import { requestArguments, requestRoute, ToolRefusal } from './request-tools.ts';

export type ToolResult = { content: { type: string; [key: string]: unknown }[]; isError?: boolean };

/** What the dispatcher needs of tools; the conformance suite mounts one of its own. */
export type Tools = {
  /** The `tools/list` result. */
  list: unknown;
  has(name: string): boolean;
  call(name: string, args: Record<string, unknown>, caller: Caller): Promise<ToolResult>;
};

/** The specification's budget for a request tool's read (§8), and a named tool's, under the 60 s of the clients. */
const REQUEST_TOOL: Deadline = { ms: 30 * SECOND_MS, late: READ_TOO_SLOW };
const NAMED_TOOL: Deadline = {
  ms: 50 * SECOND_MS,
  late: 'the tool did not finish within 50 seconds: its changes were discarded, and it isn’t retried',
};
const LONGEST_SENTENCE = 9_000;

type Deadline = { ms: number; late: string };

type Listed = Pick<Tool, 'name' | 'title' | 'says' | 'hints' | 'takes' | 'creates'>;

const REQUEST_TOOLS: (Listed & { name: 'api_request' | 'admin_request' })[] = [
  {
    name: 'api_request',
    title: 'Call a REST route',
    says: 'Calls one /api/ route as you; api_routes finds it. Returns the route’s JSON, or "HTTP <status>: <sentence>". The path is literal; parameters go in query. Lists are brief: fields=id,name picks fields, fields=all gives every one.',
    hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    takes: requestArguments,
  },
  {
    name: 'admin_request',
    title: 'Call an admin route',
    says: 'Like api_request, for /api/admin/* and GET /api/agents, /api/models and /api/settings only.',
    hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    takes: requestArguments,
  },
];

/** The `tools/list` result for these tools beside the request tools; the same bytes at every call. */
export function listTools(tools: Iterable<Listed>): unknown {
  return { tools: [...REQUEST_TOOLS, ...tools].map(describe) };
}

export function openTools(app: App, router: Router): Tools {
  const isRequestTool = (name: string): name is 'api_request' | 'admin_request' =>
    REQUEST_TOOLS.some((tool) => tool.name === name);
  return {
    list: listTools(app.tools.values()),
    has: (name) => isRequestTool(name) || app.tools.has(name),
    async call(name, args, caller) {
      const requests = isRequestTool(name);
      try {
        const text = await within(requests ? REQUEST_TOOL : NAMED_TOOL, async (signal) => {
          if (requests)
            return app.trace.span(`tool ${name}`, {}, () =>
              requestRoute(app, router, name, caller, args, freshRequest({ signal })),
            );
          const tool = app.tools.get(name);
          if (!tool) throw new Error(`no tool ${name}`);
          const { own, kept } = keptCall(tool, args, caller);
          const called = await app.trace.span(`tool ${name}`, {}, () =>
            invokeTool(app, tool, caller, own, freshRequest({ signal, ...kept })),
          );
          return JSON.stringify(told(called));
        });
        return textResult(text, requests ? 'request_tool' : 'whole');
      } catch (error) {
        return refusedResult(app, error, requests);
      }
    },
  };
}

function describe(tool: Listed): unknown {
  const { name, title, says, hints } = tool;
  const inputSchema = portableSchema(withKey(tool));
  return { name, description: says, inputSchema, annotations: { title, ...hints } };
}

function textResult(text: string, by: CutBy): ToolResult {
  return { content: [{ type: 'text', text: capped(visible(text), by) }] };
}

/** A refusal is a result, never a JSON-RPC error: clients take those for a broken server. */
function refusedResult(app: App, error: unknown, requests: boolean): ToolResult {
  const known = error instanceof Refusal;
  if (!known) app.log.error({ err: error }, 'a tool broke');
  const sentence = known
    ? error.sentence
    : 'something broke on our side; nothing was changed, and the operator can find it in the log';
  const status = known ? error.status : 500;
  const bare = !requests || error instanceof ToolRefusal || sentence === READ_TOO_SLOW;
  const text = visible(bare ? sentence : `HTTP ${status}: ${sentence}`).slice(0, LONGEST_SENTENCE);
  return { content: [{ type: 'text', text }, ...candidatesOf(error)], isError: true };
}

/** Records that a name fits, as data in a block of their own: others wrote what they are called. */
function candidatesOf(error: unknown): ToolResult['content'] {
  const candidates = error instanceof Refusal ? error.details?.['candidates'] : undefined;
  return candidates === undefined ? [] : [{ type: 'text', text: visible(JSON.stringify({ candidates })) }];
}

/** Nothing new is committed once a call was abandoned; a commit that has begun has this long to tell how it went. */
const COMMIT_MS = 500;

/** Abandons what does not finish in time: its transaction sees the signal and leaves nothing. */
async function within<T>(
  { ms, late: says }: Deadline,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      late.abort();
      // What was committing in that moment lands: it must not be said to have been discarded.
      timer = setTimeout(() => reject(new Refusal(503, 'unavailable', says)), COMMIT_MS);
    }, ms);
  });
  try {
    return await Promise.race([work(late.signal), deadline]);
  } finally {
    clearTimeout(timer);
  }
}
