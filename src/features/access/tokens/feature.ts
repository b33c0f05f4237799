// What the feature gives to the house.
import type { Feature } from '../../../kernel/house.ts';
import { exportTokens } from './export.handlers.ts';
import { list, mint, remove } from './handlers.ts';

export const tokens: Feature = { name: 'tokens', operations: [list, mint, remove, exportTokens] };
