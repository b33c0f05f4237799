import type { Feature } from '../../../kernel/app.ts';
import { activityExpiry } from './expiry.pass.ts';
import { exportActivity } from './export.handlers.ts';
import { activity, list } from './handlers.ts';

export const audit: Feature = {
  name: 'audit',
  operations: [list, activity, exportActivity],
  passes: [activityExpiry],
};
