// What the feature gives to the house.
import type { Feature } from '../../../kernel/house.ts';
import { quarantineHandlers } from './handlers.ts';
import { quarantineRuleHandlers } from './quarantine-rules.handlers.ts';
import { landingPass } from './land/pass.ts';

export const landing: Feature = {
  name: 'landing',
  operations: [...quarantineHandlers, ...quarantineRuleHandlers],
  passes: [landingPass],
};
