// What the feature gives to the house.
import type { Feature } from '../../../kernel/house.ts';
import { create, dismiss, get, remove } from './handlers.ts';

export const start: Feature = { name: 'start', operations: [get, dismiss, create, remove] };
