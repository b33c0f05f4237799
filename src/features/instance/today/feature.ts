// What the feature gives to the house.
import type { Feature } from '../../../kernel/house.ts';
import { today } from './today.ts';

export const todays: Feature = { name: 'today', operations: [today] };
