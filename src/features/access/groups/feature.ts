// What the feature gives to the house.
import type { Feature } from '../../../kernel/house.ts';
import { create, list, remove, update } from './handlers.ts';

export const groups: Feature = { name: 'groups', operations: [list, create, update, remove] };
