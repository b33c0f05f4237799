// What the feature gives to the house.
import type { Feature } from '../../../kernel/house.ts';
import { list, remove, save, tryOut } from './handlers.ts';

export const providers: Feature = { name: 'providers', operations: [list, save, remove, tryOut] };
