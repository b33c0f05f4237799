import type { Feature } from '../../../kernel/app.ts';
import { list, replace } from './handlers.ts';

export const fields: Feature = { name: 'fields', operations: [list, replace] };
