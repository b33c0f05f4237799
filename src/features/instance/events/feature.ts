import type { Feature } from '../../../kernel/app.ts';
import { recent, redeliver, redeliverRange } from './deliveries.handlers.ts';
import { exportDeliveries } from './export.handlers.ts';
import { live } from './handlers.ts';
import { LIMITS, deliveriesPass } from './pass.ts';
import { secretRotate, webhookGet, webhookOff, webhookSet } from './webhook.handlers.ts';

export const events: Feature = {
  name: 'events',
  operations: [
    live,
    recent,
    webhookGet,
    webhookSet,
    webhookOff,
    secretRotate,
    redeliver,
    redeliverRange,
    exportDeliveries,
  ],
  passes: [deliveriesPass(LIMITS)],
};
