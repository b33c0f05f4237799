// The feature’s parts: two entry points for recipients, and no operation.
import type { Feature } from '../../../kernel/app.ts';
import { unsubscribeHooks } from './hooks.ts';

export const unsubscribes: Feature = { name: 'unsubscribes', operations: [], hooks: unsubscribeHooks };
