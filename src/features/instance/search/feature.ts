import type { Feature } from '../../../kernel/app.ts';
import { find } from './search.ts';

export const search: Feature = { name: 'search', operations: [find] };
