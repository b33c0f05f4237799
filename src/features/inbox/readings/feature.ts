import type { Feature } from '../../../kernel/app.ts';
import { readingHandlers } from './handlers.ts';
import { readingsPass } from './pass.ts';
import type { ReadsReplies } from './reader.ts';

export const readings = (reader: ReadsReplies | null): Feature => ({
  name: 'readings',
  operations: readingHandlers,
  passes: [readingsPass(reader)],
});
