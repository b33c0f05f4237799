import type { Feature } from '../../../kernel/app.ts';
import { exportRuns } from './export.handlers.ts';
import { workflowHandlers } from './handlers.ts';
import { kindsHandlers } from './kinds.handlers.ts';
import { runSteps, stalledRuns } from './run/pass.ts';
import { runHandlers } from './run.handlers.ts';
import { secretHandlers } from './secrets.handlers.ts';
import { test } from './test-run.handlers.ts';
import { triggers } from './triggers/triggers.pass.ts';

export const workflows: Feature = {
  name: 'workflows',
  operations: [...workflowHandlers, ...kindsHandlers, ...runHandlers, ...secretHandlers, exportRuns, test],
  passes: [triggers, runSteps, stalledRuns],
};
