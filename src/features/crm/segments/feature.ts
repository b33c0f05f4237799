// What the feature gives to the house.
import type { Feature } from '../../../kernel/house.ts';
import { count, create, list, people, remove, update } from './handlers.ts';

export const segments: Feature = {
  name: 'segments',
  operations: [list, create, count, update, remove, people],
};
