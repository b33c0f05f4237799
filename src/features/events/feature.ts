// What the feature gives to the house.
import type { Feature } from '../../kernel/house.ts';
import { live } from './handlers.ts';

export const events: Feature = { name: 'events', operations: [live] };
