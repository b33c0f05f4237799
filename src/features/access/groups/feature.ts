import type { Feature } from '../../../kernel/app.ts';
import { create, list, remove, update } from './handlers.ts';

export const groups: Feature = { name: 'groups', operations: [list, create, update, remove] };
