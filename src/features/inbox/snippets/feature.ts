// What the feature gives to the house.
import type { Feature } from '../../../kernel/house.ts';
import { snippetHandlers } from './handlers.ts';

export const snippets: Feature = { name: 'snippets', operations: snippetHandlers };
