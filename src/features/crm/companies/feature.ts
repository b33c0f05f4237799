import type { Feature } from '../../../kernel/app.ts';
import { exportCompanies } from './export.handlers.ts';
import { create, list, read, remove, update } from './handlers.ts';

export const companies: Feature = {
  name: 'companies',
  operations: [list, create, read, update, remove, exportCompanies],
};
