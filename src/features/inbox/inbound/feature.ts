import type { Feature } from '../../../kernel/app.ts';
import { quarantineHandlers } from './handlers.ts';
import { quarantineRuleHandlers } from './quarantine-rules.handlers.ts';
import { inboundPass } from './land/pass.ts';

export const landing: Feature = {
  name: 'landing',
  operations: [...quarantineHandlers, ...quarantineRuleHandlers],
  passes: [inboundPass],
};
