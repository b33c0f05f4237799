import type { Feature } from '../../../kernel/app.ts';
import { sequencesExpiry } from './expiry.pass.ts';
import { sequenceHandlers } from './handlers.ts';
import { templateHandlers } from './templates.handlers.ts';

export const sequences: Feature = {
  name: 'sequences',
  operations: [...sequenceHandlers, ...templateHandlers],
  passes: [sequencesExpiry],
};
