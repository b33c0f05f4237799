import type { Feature } from '../../../kernel/app.ts';
import { verify } from './handlers.ts';
import { verificationPass } from './pass.ts';
import { verificationTools } from './tools.ts';

export const verification: Feature = {
  name: 'verification',
  operations: [verify],
  tools: verificationTools,
  passes: [verificationPass],
};
