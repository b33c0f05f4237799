import type { Feature } from '../../../kernel/app.ts';
import { count, create, list, people, remove, update } from './handlers.ts';

export const segments: Feature = {
  name: 'segments',
  operations: [list, create, count, update, remove, people],
};
