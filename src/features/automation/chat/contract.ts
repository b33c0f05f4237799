// Talking to an agent of the house: one turn, streamed or waited for, stopping one, and what was said before.
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { OK, operation } from '../../../kernel/operation.ts';
import { id, listOf, page, time } from '../../../kernel/shapes.ts';
import { CHAT_STREAMS } from '../../../kernel/sentences.ts';
import { modelName } from '../agents/contract.ts';

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

export const chatNews = z.discriminatedUnion('type', [
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
    /** Why it did not end well, and who can mend it. */
    sentence: z.string().nullable(),
    pending: z.array(pending),
  }),
]);
export type ChatNews = z.infer<typeof chatNews>;
named('ChatNews', chatNews);

const takes = z.strictObject({
  message: z.string().trim().min(1).max(50_000),
  /** A conversation of the caller's own; a new one where nothing is said. */
  thread_id: id.optional(),
  /** Its id or its name. */
  agent: z.string().trim().min(1).max(60).optional(),
  model: modelName.optional(),
});
export type ChatAsked = z.output<typeof takes>;

const talks = {
  takes,
  example: { message: 'What waits for a person?' },
  effect: 'write',
  needs: { action: 'chat.create', on: () => ['chat'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
} as const;

export const chatStream = operation({
  ...talks,
  name: 'chat_stream',
  says: 'Says something to an agent of this instance and streams what becomes of it. The turn goes on when the reader goes; its thread shows it.',
  method: 'POST',
  path: '/api/chat',
  gives: chatNews,
  answers: { stream: 'sse', instead: CHAT_STREAMS },
});

export const chatTurn = operation({
  ...talks,
  name: 'chat_turn',
  says: 'Says something to an agent of this instance and waits for its answer, at most 45 seconds; what is not finished by then is pending and goes on.',
  method: 'POST',
  path: '/api/chat/turns',
  gives: z.object({
    thread_id: id,
    turn_id: id,
    /** Whether it answered, and if not, how it ended: `text` alone does not tell. */
    state: z.enum(TURN_STATES),
    text: z.string(),
    /** Why it did not end well, and who can fix it; it stands at the end of the text too. */
    sentence: z.string().nullable(),
    pending: z.array(pending),
  }),
  answers: OK,
});

export const chatStop = operation({
  name: 'chat_stop',
  says: "Stops the running turn of one of the caller's conversations at its next step. What it has done stays done.",
  method: 'POST',
  path: '/api/chat/stop',
  takes: z.strictObject({ thread_id: id }),
  gives: z.object({ stopped: z.boolean() }),
  example: { thread_id: '0198c0de-0000-7000-8000-000000000071' },
  effect: 'write',
  needs: { action: 'chat.create', on: () => ['chat'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

const turn = z.object({
  id,
  thread_id: id,
  /** Null once it is deleted. */
  agent_id: id.nullable(),
  agent: z.string(),
  model: z.string(),
  message: z.string(),
  text: z.string(),
  used: z.array(used),
  state: z.enum(TURN_STATES),
  /** Why it did not end well, and who can mend it. */
  sentence: z.string().nullable(),
  created_at: time,
});
export type ShownTurn = z.infer<typeof turn>;

export const chatTurnList = operation({
  name: 'chat_turn_list',
  says: "Lists the turns of one of the caller's conversations with an agent, newest first: what was said, and which tools were used.",
  method: 'GET',
  path: '/api/chat/turns',
  takes: z.strictObject({ thread_id: id, ...page }),
  gives: listOf(turn),
  example: { thread_id: '0198c0de-0000-7000-8000-000000000071' },
  effect: 'read',
  needs: { action: 'inbox.thread.read', on: 'row' },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});
