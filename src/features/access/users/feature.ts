import type { Feature } from '../../../kernel/app.ts';
import { exportUsers } from './export.handlers.ts';
import { cancel, disable, get, invite, list, update } from './handlers.ts';

export const users: Feature = {
  name: 'users',
  operations: [list, get, invite, cancel, disable, update, exportUsers],
};
