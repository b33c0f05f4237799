import type { Feature } from '../../../kernel/app.ts';
import { exportSuppressions } from './export.handlers.ts';
import { add, list, remove } from './handlers.ts';
import type { HeldLetters } from './held.ts';
import { suppressionTools } from './tools.ts';

export const suppressions = (letters: HeldLetters): Feature => ({
  name: 'suppressions',
  operations: [list, add, remove(letters), exportSuppressions],
  tools: suppressionTools,
});
