import type { Feature } from '../../../kernel/app.ts';
import { run } from './handlers.ts';
import { operations } from './operations.handlers.ts';
import { scriptTools } from './tools.ts';

export const scripts: Feature = { name: 'scripts', operations: [run, operations], tools: scriptTools };
