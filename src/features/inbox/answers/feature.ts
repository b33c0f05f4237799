import type { Feature } from '../../../kernel/app.ts';
import { answersExpiry } from './expiry.pass.ts';
import { answerHandlers } from './handlers.ts';
import { sendHandlers } from './send.handlers.ts';
import { answerTools } from './tools.ts';

export const answers: Feature = {
  name: 'answers',
  operations: [...answerHandlers, ...sendHandlers],
  tools: answerTools,
  passes: [answersExpiry],
};
