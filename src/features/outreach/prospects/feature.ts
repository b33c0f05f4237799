// Prospects as a feature: people in campaigns, and what takes them from step to step.
import type { Feature } from '../../../kernel/app.ts';
import { exportProspects } from './export.handlers.ts';
import { prospectHandlers } from './handlers.ts';
import { finishingPass, steppingPass } from './stepping/stepping.pass.ts';
import { prospectTools } from './tools.ts';

export const prospects: Feature = {
  name: 'prospects',
  operations: [...prospectHandlers, exportProspects],
  tools: prospectTools,
  passes: [steppingPass, finishingPass],
};
