import type { Feature } from '../../../kernel/app.ts';
import { listUnplaced } from './handlers.ts';

export const deliveries: Feature = { name: 'deliveries', operations: [listUnplaced] };
