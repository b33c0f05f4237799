import type { Feature } from '../../../kernel/app.ts';
import { formHandlers } from './handlers.ts';
import { formAskedHook, formHook } from './hook.ts';

export const forms: Feature = { name: 'forms', operations: formHandlers, hooks: [formHook, formAskedHook] };
