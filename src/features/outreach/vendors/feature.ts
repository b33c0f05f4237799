import type { Feature } from '../../../kernel/app.ts';
import { read, register, remove, rotate } from './handlers.ts';
import { vendorHook } from './hook.ts';
import type { OnSent } from '../sends/letter/on-sent.ts';
import { vendorTools } from './tools.ts';

export const vendors = (on_sent: OnSent): Feature => ({
  name: 'vendors',
  operations: [read, register, rotate, remove],
  tools: vendorTools,
  hooks: [vendorHook(on_sent)],
});
