import type { Feature } from '../../../kernel/app.ts';
import { viewHandlers } from './handlers.ts';

export const views: Feature = { name: 'views', operations: viewHandlers };
