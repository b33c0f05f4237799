// Chatting with a built-in agent: one turn, streamed or waited for, stopping one, and reading earlier messages.
import { z } from 'zod';
import { OK, operation } from '../../../kernel/operation.ts';
import { id, listOf, page, time } from '../../../kernel/shapes.ts';
import { CHAT_STREAMS } from '../../../kernel/sentences.ts';
import { TURN_STATES, chatEvents, pending, used } from '../../inbox/threads/chat.contract.ts';
import { modelName } from '../agents/contract.ts';

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
  says: 'Sends a message to an agent of this instance and streams the turn. The turn continues if the reader disconnects; its thread shows it.',
  method: 'POST',
  path: '/api/chat',
  gives: chatEvents,
  answers: { stream: 'sse', instead: CHAT_STREAMS },
});

export const chatTurn = operation({
  ...talks,
  name: 'chat_turn',
  says: 'Sends a message to an agent of this instance and waits for its reply, at most 45 seconds. Unfinished work is returned as pending and continues.',
  method: 'POST',
  path: '/api/chat/turns',
  gives: z.object({
    thread_id: id,
    turn_id: id,
    /** Whether it answered, and if not, how it ended: `text` alone does not tell. */
    state: z.enum(TURN_STATES),
    text: z.string(),
    /** Why it did not end well, and who can fix it; it is at the end of the text too. */
    sentence: z.string().nullable(),
    pending: z.array(pending),
  }),
  answers: OK,
});

export const chatStop = operation({
  name: 'chat_stop',
  says: 'Stops the running turn of one of the caller’s conversations at its next step. Completed acts aren’t undone.',
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
  /** Why it did not end well, and who can fix it. */
  sentence: z.string().nullable(),
  created_at: time,
});
export type ShownTurn = z.infer<typeof turn>;

export const chatTurnList = operation({
  name: 'chat_turn_list',
  says: 'Lists the turns of one of the caller’s conversations with an agent, newest first, with messages and tool calls.',
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
