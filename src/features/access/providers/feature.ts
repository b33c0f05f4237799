import type { Feature } from '../../../kernel/app.ts';
import { list, remove, save, tryOut } from './handlers.ts';

export const providers: Feature = { name: 'providers', operations: [list, save, remove, tryOut] };
