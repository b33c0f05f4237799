// What the feature gives to the house.
import type { Feature } from '../../../kernel/house.ts';
import { oauthHook } from './callback.hook.ts';
import { comeBack, connect, disconnect } from './connect.handlers.ts';
import { consent, create, list, refreshTools, remove, update } from './handlers.ts';

export const capabilities: Feature = {
  name: 'capabilities',
  operations: [list, create, update, remove, refreshTools, consent, connect, comeBack, disconnect],
  hooks: [oauthHook],
};
