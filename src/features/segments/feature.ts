// What the feature gives to the house.
import type { Feature } from '../../kernel/house.ts';
import { create, list, people, remove, update } from './handlers.ts';

export const segments: Feature = { name: 'segments', operations: [list, create, update, remove, people] };
