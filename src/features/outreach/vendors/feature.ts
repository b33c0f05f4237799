// What the feature gives to the house.
import type { Feature } from '../../../kernel/house.ts';
import { read, register, remove, rotate } from './handlers.ts';
import { vendorHook } from './hook.ts';
import { vendorTools } from './tools.ts';

export const vendors: Feature = {
  name: 'vendors',
  operations: [read, register, rotate, remove],
  tools: vendorTools,
  hooks: [vendorHook],
};
