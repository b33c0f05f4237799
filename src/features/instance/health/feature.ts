// What the feature gives to the house.
import type { Feature } from '../../../kernel/house.ts';
import { get } from './handlers.ts';

export const health: Feature = { name: 'health', operations: [get] };
