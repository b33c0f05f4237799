// What the feature gives to the house.
import type { Feature } from '../../../kernel/house.ts';
import { create, explained, list, remove, update } from './handlers.ts';

export const policies: Feature = { name: 'policies', operations: [list, create, update, remove, explained] };
