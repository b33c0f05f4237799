import type { Feature } from '../../../kernel/app.ts';
import { activityExpiry } from './expiry.pass.ts';
import { exportActivity } from './export.handlers.ts';
import { activity, list, seal } from './handlers.ts';
import { auditSeals } from './seals.pass.ts';

export const audit: Feature = {
  name: 'audit',
  operations: [list, activity, exportActivity, seal],
  passes: [activityExpiry, auditSeals],
};
