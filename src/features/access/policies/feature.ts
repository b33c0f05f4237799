import type { Feature } from '../../../kernel/app.ts';
import { create, explained, list, remove, update } from './handlers.ts';

export const policies: Feature = { name: 'policies', operations: [list, create, update, remove, explained] };
