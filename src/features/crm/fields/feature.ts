// What the feature gives to the house.
import type { Feature } from '../../../kernel/house.ts';
import { list, replace } from './handlers.ts';

export const fields: Feature = { name: 'fields', operations: [list, replace] };
