import type { Feature } from '../../../kernel/app.ts';
import { snippetHandlers } from './handlers.ts';

export const snippets: Feature = { name: 'snippets', operations: snippetHandlers };
