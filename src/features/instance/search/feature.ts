// What the feature gives to the house.
import type { Feature } from '../../../kernel/house.ts';
import { find } from './search.ts';

export const search: Feature = { name: 'search', operations: [find] };
