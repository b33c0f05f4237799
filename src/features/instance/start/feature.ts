import type { Feature } from '../../../kernel/app.ts';
import { create, dismiss, get, remove } from './handlers.ts';

export const start: Feature = { name: 'start', operations: [get, dismiss, create, remove] };
