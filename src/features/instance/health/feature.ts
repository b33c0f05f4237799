import type { Feature } from '../../../kernel/app.ts';
import { get } from './handlers.ts';

export const health: Feature = { name: 'health', operations: [get] };
