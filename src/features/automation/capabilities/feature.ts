import type { Feature } from '../../../kernel/app.ts';
import { oauthHook } from './callback.hook.ts';
import { comeBack, connect, disconnect } from './connect.handlers.ts';
import { consent, create, list, refreshTools, remove, update } from './handlers.ts';

export const capabilities: Feature = {
  name: 'capabilities',
  operations: [list, create, update, remove, refreshTools, consent, connect, comeBack, disconnect],
  hooks: [oauthHook],
};
