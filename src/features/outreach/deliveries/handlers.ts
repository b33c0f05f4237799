// Handlers of what was reported of letters.
import { z } from 'zod';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { bind } from '../../../kernel/context.ts';
import { id, time } from '../../../kernel/shapes.ts';
import { deliveriesUnplaced } from './contract.ts';
import { unplacedRows } from './unplaced.store.ts';

export const listUnplaced = bind(deliveriesUnplaced, async ({ db }, { limit, cursor }) => {
  const after = keyIn(cursor, () => z.tuple([time, id]));
  const rows = await unplacedRows(db, after, limit + 1);
  return pageOf(rows, limit, (row) => [row.received_at, row.id]);
});
