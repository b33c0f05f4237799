// What the feature gives to the house.
import type { Feature } from '../../../kernel/house.ts';
import { viewHandlers } from './handlers.ts';

export const views: Feature = { name: 'views', operations: viewHandlers };
