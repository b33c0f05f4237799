import type { Feature } from '../../../kernel/app.ts';
import { get, give, list, remove } from './handlers.ts';
import { importsPass } from './write/pass.ts';
import { importTools } from './tools.ts';

export const imports: Feature = {
  name: 'imports',
  operations: [give, list, get, remove],
  tools: importTools,
  passes: [importsPass],
};
