// What an open screen follows of a conversation with an agent: its turns, the tools they called, and what still waits for a
// person. Threads answer with it; what goes on in a chat is told by whoever runs it.
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { id } from '../../../kernel/shapes.ts';

export const TURN_STATES = ['running', 'done', 'failed', 'stopped', 'stalled'] as const;

export const pending = z.object({
  /** `approval`: a person decides on an act. `turn`: the turn goes on. */
  kind: z.enum(['approval', 'turn']),
  /** Of the approval, or of the turn. */
  id,
  /** The operation that a person is asked to perform. */
  operation: z.string().nullable(),
  sentence: z.string(),
});
export type Pending = z.infer<typeof pending>;

/** One call of a tool, as people see it. */
export const used = z.object({
  /** As it was called, and in words. */
  name: z.string(),
  title: z.string(),
  outcome: z.enum(['running', 'done', 'refused', 'pending']),
  sentence: z.string().nullable(),
  /** Without their secrets, long ones cut; null where they are too long to be shown, or forgotten. */
  arguments: z.record(z.string(), z.unknown()).nullable(),
  /** JSON, or another party's words: data, cut. */
  result: z.string().nullable(),
  /** What it is decided under, where it was proposed. */
  approval_id: id.nullable(),
  /** How much of the turn's text, in UTF-16 units, had been said by then. */
  at: z.int(),
});
export type Used = z.infer<typeof used>;

export const chatEvents = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('turn'),
    thread_id: id,
    turn_id: id,
    agent: z.string(),
    model: z.string(),
    message: z.string(),
  }),
  /** More of what the agent says. */
  z.object({ type: z.literal('text'), turn_id: id, text: z.string() }),
  /** A tool was called, or what was called came to an end: told again with the same place in the turn. */
  z.object({ type: z.literal('tool'), turn_id: id, place: z.int(), ...used.shape }),
  z.object({
    type: z.literal('end'),
    thread_id: id,
    turn_id: id,
    state: z.enum(TURN_STATES),
    text: z.string(),
    /** Why it did not end well, and who can fix it. */
    sentence: z.string().nullable(),
    pending: z.array(pending),
  }),
]);
export type ChatEvent = z.infer<typeof chatEvents>;
named('ChatNews', chatEvents);
