// What the feature gives to the house.
import type { Feature } from '../../../kernel/house.ts';
import { formHandlers } from './handlers.ts';
import { formAskedHook, formHook } from './hook.ts';

export const forms: Feature = { name: 'forms', operations: formHandlers, hooks: [formHook, formAskedHook] };
