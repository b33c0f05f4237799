import type { Feature } from '../../../kernel/app.ts';
import type { PersonHolder } from '../people/holders.ts';
import { get, give, list, rehearsal, remove } from './handlers.ts';
import { importsPass } from './write/pass.ts';
import { importTools } from './tools.ts';

/** `holders`: whose idle rows go with people whom a rollback removes. */
export const imports = (holders: readonly PersonHolder[]): Feature => ({
  name: 'imports',
  operations: [give, list, get, rehearsal(holders), remove(holders)],
  tools: importTools,
  passes: [importsPass],
});
