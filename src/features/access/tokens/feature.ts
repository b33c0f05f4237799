import type { Feature } from '../../../kernel/app.ts';
import { exportTokens } from './export.handlers.ts';
import { list, mint, remove } from './handlers.ts';

export const tokens: Feature = { name: 'tokens', operations: [list, mint, remove, exportTokens] };
