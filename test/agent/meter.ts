// An agent that a script replaces: it knows tools/list and what it was answered, speaks POST /mcp, and every character
// that a model would write or read is counted, in o200k tokens.
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';

const tokenizer = new Tiktoken(o200k);

export const tokensOf = (text: string): number => tokenizer.encode(text).length;

/** Tokens and characters of what a model writes and reads. */
export type Call = { tool: string; tokens: number; ms: number; chars: number };

export type Metered = {
  calls: Call[];
  /** Asks one tool; throws its refusal. The answer is what the tool said, read as JSON. */
  ask(tool: string, args?: Record<string, unknown>): Promise<any>;
  /** Does what a line of a digest's `next` says: a tool with its arguments, or a route with its query. */
  follow(next: { with: string }, more?: Record<string, unknown>): Promise<any>;
};

export function metered(url: string, token: string): Metered {
  const calls: Call[] = [];
  const ask: Metered['ask'] = async (tool, args = {}) => {
    const params = { name: tool, arguments: args };
    const began = performance.now();
    const answer = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${token}`,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    const { result, error } = (await answer.json()) as {
      result?: { isError?: boolean; content: { text: string }[] };
      error?: { message: string };
    };
    const text = result?.content[0]?.text ?? error?.message ?? '';
    const tokens = tokensOf(JSON.stringify(params)) + tokensOf(text);
    const chars = JSON.stringify(params).length + text.length;
    calls.push({ tool, tokens, ms: performance.now() - began, chars });
    if (!result || result.isError) throw new Error(`${tool} ${JSON.stringify(args)}: ${text}`);
    return JSON.parse(text);
  };
  return {
    calls,
    ask,
    follow(next, more = {}) {
      const at = next.with.indexOf('{');
      const [said, given] =
        at < 0 ? [next.with, {}] : [next.with.slice(0, at), JSON.parse(next.with.slice(at))];
      const [method = '', path] = said.trim().split(' ');
      return path === undefined
        ? ask(method, { ...given, ...more })
        : ask('api_request', { method, path, ...((at >= 0 || more) && { query: { ...given, ...more } }) });
    },
  };
}
