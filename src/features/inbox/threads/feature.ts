// Threads as a feature: the inbox of every channel.
import type { Feature } from '../../../kernel/app.ts';
import { actHandlers } from './act.handlers.ts';
import type { FollowChat } from './chat.ts';
import { readHandlers } from './read.handlers.ts';
import { snoozes } from './snooze/snooze.pass.ts';
import { threadTools } from './tools.ts';

export const threads = (follow: FollowChat): Feature => ({
  name: 'threads',
  operations: [...readHandlers(follow), ...actHandlers],
  tools: threadTools,
  resources: [
    {
      uri: 'service://inbox/unanswered',
      name: 'Unanswered',
      says: "Inbox threads still waiting on the instance's side, across every channel.",
      operation: 'inbox_list',
      arguments: { state: 'unanswered' },
    },
  ],
  passes: [snoozes],
});
