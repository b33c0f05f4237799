// Tools of the endpoint and resources: two small declarations on top of operations. Neither has gates of its own; both run
// operations through `invoke` as the calling token.
import type { z } from 'zod';
import type { AnyOperation } from './operation.ts';

/** The four hints of MCP, none of them optional. */
export type Hints = {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
};

/** One operation and the arguments it is called with. */
export type ToolCall = { operation: AnyOperation; arguments: Record<string, unknown> };

export type Tool = {
  name: string;
  title: string;
  /** For a model in a hurry: what it does, what it returns, when it refuses. */
  says: string;
  hints: Hints;
  takes: z.ZodObject;
  example: Record<string, unknown>;
  /**
   * It makes something new, so that an equal call of the same token within ten minutes is taken for the same one. A function says
   * with which arguments.
   */
  creates?: true | ((args: Record<string, unknown>) => boolean);
  /** Of a long answer: what says nothing (null, false, empty) is left out, at every depth. */
  sparse?: true;
  /** Every operation it may call; a caller whom all of them refuse hears so before the arguments are read. */
  calls: readonly AnyOperation[];
  /** Which of them, with which arguments. */
  pick(args: Record<string, unknown>): ToolCall;
};

/** States a tool; types the arguments of `pick` by `takes`. */
export function tool<Takes extends z.ZodObject>(
  declared: Omit<Tool, 'takes' | 'pick' | 'example'> & {
    takes: Takes;
    example: z.input<Takes>;
    pick(args: z.output<Takes>): ToolCall;
  },
): Tool {
  return declared as unknown as Tool;
}

export const READS: Hints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
export const WRITES: Hints = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};
export const WRITES_ONCE: Hints = { ...WRITES, idempotentHint: true };
/** What is on the wire cannot be undone: a client with a person beside it asks them first. */
export const ON_THE_WIRE: Hints = { ...WRITES, destructiveHint: true, openWorldHint: true };

/** A resource: a URI, or a template with one `{id}` or `{project}`, and the GET route it dispatches into. */
export type Resource = {
  uri: string;
  name: string;
  says: string;
  /** The operation's name. */
  operation: string;
  /** Arguments beside the template's own, e.g. `{state: 'held'}`. */
  arguments: Record<string, unknown>;
};
