// What the feature gives to the house.
import type { Feature } from '../../../kernel/house.ts';
import { listUnplaced } from './handlers.ts';

export const deliveries: Feature = { name: 'deliveries', operations: [listUnplaced] };
