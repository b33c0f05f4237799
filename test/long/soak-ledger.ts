// The account of a soak that is kept outside the product: what was asked, how sure the answer was, and what must therefore be
// found. A call may only fail in ways that a kill or a cut explains; everything else is written down as wrong.
import { hits, type Node, type Span } from './soak-nodes.ts';

/** Was it done? `maybe`: the process died, or the database went away while it was being kept. */
export type Sure = 'yes' | 'no' | 'maybe';

export type Told = { sure: Sure; status: number; body: any };

export type Ledger = {
  /** Cards by their title, moves to done by item, people enrolled by address, answers by Message-ID. */
  cards: Map<string, Sure>;
  parked: Map<string, Sure>;
  enrolled: Map<string, Sure>;
  answers: Map<string, string>;
  calls: Record<string, number>;
  /** Milliseconds of answered calls, outside kills and cuts. */
  times: number[];
  wrong: string[];
  /** When the database was cut from a node, by the node's name. */
  cuts: { node: string; span: Span }[];
};

export const newLedger = (): Ledger => ({
  cards: new Map(),
  parked: new Map(),
  enrolled: new Map(),
  answers: new Map(),
  calls: {},
  times: [],
  wrong: [],
  cuts: [],
});

/** How long a node may go on refusing after its database came back. */
export const RECOVERS_MS = 30_000;
/** Longer than the longest that a statement may take. */
const HANGS_MS = 60_000;
const SENTENCE = /^the database [^.]{20,280}$/;

type Asking = {
  node: Node;
  method: string;
  path: string;
  body?: unknown;
  headers: Record<string, string>;
};

export async function ask(ledger: Ledger, asking: Asking): Promise<Told> {
  const { node, method, path, body, headers } = asking;
  const began = performance.now();
  const count = (what: string): void => void (ledger.calls[what] = (ledger.calls[what] ?? 0) + 1);
  const wrong = (what: string): void => {
    if (ledger.wrong.length < 50)
      ledger.wrong.push(`${Math.round(began / 1_000)} s: ${node.name} ${method} ${path}: ${what}`);
  };
  try {
    const answer = await fetch(node.url + path, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(HANGS_MS),
    });
    const text = await answer.text();
    const ended = performance.now();
    const read = parsed(text);
    const sentence = refusalIn(read);
    const isCut = ledger.cuts.some((cut) => hits([cut.span], began, ended, RECOVERS_MS));
    if (sentence === null && answer.status < 300) {
      count('done');
      if (!isCut) ledger.times.push(ended - began);
      return { sure: 'yes', status: answer.status, body: read };
    }
    const isRefused = sentence !== null && SENTENCE.test(sentence);
    if (isCut && isRefused) {
      count('refused while the database was cut off');
      if (answer.status === 503 && answer.headers.get('retry-after') === null)
        wrong('503 without Retry-After');
      return {
        sure: sentence.includes('check before you retry') ? 'maybe' : 'no',
        status: answer.status,
        body: read,
      };
    }
    wrong(`${answer.status} ${text.slice(0, 300)}`);
    return { sure: answer.status >= 500 ? 'maybe' : 'no', status: answer.status, body: read };
  } catch (error) {
    const cause = (error as { cause?: { code?: string; message?: string } }).cause;
    if (hits(node.away, began, performance.now())) count('broken by a kill');
    else wrong(`${String(error)} ${cause?.code ?? ''} ${cause?.message ?? ''}`);
    return { sure: 'maybe', status: 0, body: null };
  }
}

/** The sentence of a refusal, whichever entry point said it; null where it was done. */
function refusalIn(body: any): string | null {
  if (body?.error) return String(body.error.message);
  if (body?.result?.isError) return String(body.result.content?.[0]?.text);
  return null;
}

function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** What is against what was asked: each thing once where it was said to be done, at most once where no one knows. */
export function compare(
  what: string,
  asked: ReadonlyMap<string, Sure>,
  found: ReadonlyMap<string, number>,
): string[] {
  const wrong: string[] = [];
  for (const [key, sure] of asked) {
    const times = found.get(key) ?? 0;
    if (times > 1) wrong.push(`${what} ${key}: ${times} times`);
    if (sure === 'yes' && times === 0) wrong.push(`${what} ${key}: lost`);
    if (sure === 'no' && times > 0) wrong.push(`${what} ${key}: refused, and there`);
  }
  for (const key of found.keys()) if (!asked.has(key)) wrong.push(`${what} ${key}: nobody asked for it`);
  return wrong;
}

export function tally(keys: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const key of keys) found.set(key, (found.get(key) ?? 0) + 1);
  return found;
}

export const share = (times: readonly number[], part: number): number =>
  Math.round(times.toSorted((a, b) => a - b)[Math.floor(times.length * part)] ?? 0);
