// A language model, as the app sees it: it gets messages and tools, and returns one step, piece by piece. Which
// provider it belongs to, and how to speak to it, is behind this interface (speak.ts).

/** What was said so far. A tool's answer is text; strangers' text in it is framed as data by whoever puts it here. */
export type ModelSaid =
  | { role: 'user'; text: string }
  | { role: 'assistant'; text: string; calls: Call[] }
  | { role: 'tools'; answers: { id: string; name: string; text: string }[] };

/** `broken`: what the model wrote is no arguments of any tool, and `input` is empty. */
export type Call = { id: string; name: string; input: Record<string, unknown>; broken: boolean };

/** `schema` is JSON Schema. */
export type ToolSpec = { name: string; says: string; schema: Record<string, unknown> };

export type Asking = {
  instructions: string;
  said: readonly ModelSaid[];
  tools: readonly ToolSpec[];
  most_tokens: number;
  /** Of its text and the arguments of its calls together; more of it is not read. */
  most_bytes: number;
  signal: AbortSignal;
};

export type MessagePart =
  | { kind: 'text'; text: string }
  | { kind: 'call'; call: Call }
  /** The last one. `tokens` are those of the whole step, counted by us where the other side does not say. */
  | { kind: 'end'; why: EndWhy; tokens: number };

export type EndWhy =
  | 'said'
  | 'calls'
  /** It came to `most_tokens`: cut, and its last call with it. */
  | 'too_long'
  /** It came to `most_bytes`: what was over is not given, and the other side is hung up on. */
  | 'too_much'
  | 'withheld';

export type Model = {
  /** `anthropic/claude-…`: provider and the provider's own name. */
  name: string;
  /** Throws a ModelTrouble, and nothing else for what the other side does. */
  step(asking: Asking): AsyncIterable<MessagePart>;
};

export type TroubleWhy =
  /** The key is not known there. */
  | 'key'
  /** Too much is asked of it; it says when it is worth asking again. */
  | 'busy'
  /** It fails by an error of its own. */
  | 'failing'
  | 'unreachable'
  /** The operator's rules forbid its address. */
  | 'address'
  /** There is no such model there. */
  | 'model'
  /** It does not take what it was asked. */
  | 'refused'
  /** It began and did not end. */
  | 'broke_off'
  | 'stopped';

/** Nothing of what the other side wrote is in it. */
export class ModelTrouble extends Error {
  readonly why: TroubleWhy;
  /** Product copy that says who can fix it. */
  readonly sentence: string;
  /** Whole seconds, with `busy`. */
  readonly retry_after: number | null;
  constructor(why: TroubleWhy, sentence: string, retry_after: number | null = null) {
    super(why);
    this.name = 'ModelTrouble';
    this.why = why;
    this.sentence = sentence;
    this.retry_after = retry_after;
  }
}
