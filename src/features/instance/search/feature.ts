import type { Feature } from '../../../kernel/app.ts';
import { find } from './search.ts';
import { routes } from './routes.ts';
import { searchTools } from './tools.ts';

export const search: Feature = { name: 'search', operations: [find, routes], tools: searchTools };
