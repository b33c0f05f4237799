import type { Feature } from '../../../kernel/app.ts';
import { chatHandlers } from './handlers.ts';
import { stalledTurns } from './turn/stalled.pass.ts';
import { chatTools } from './tools.ts';

export const chat: Feature = {
  name: 'chat',
  operations: chatHandlers,
  tools: chatTools,
  passes: [stalledTurns],
};
