// What the feature gives to the house: two doors for recipients, and no operation.
import type { Feature } from '../../../kernel/house.ts';
import { unsubscribeHooks } from './hooks.ts';

export const unsubscribes: Feature = { name: 'unsubscribes', operations: [], hooks: unsubscribeHooks };
