// The handler of the audit log.
import { z } from 'zod';
import { keyIn, pageOf } from '../../kernel/page.ts';
import { bind } from '../../kernel/scene.ts';
import { id } from '../../kernel/shapes.ts';
import { auditList } from './contract.ts';
import { auditRows } from './store.ts';

export const list = bind(auditList, async ({ db }, { limit, cursor, ...filter }) => {
  const before = keyIn(cursor, () => z.tuple([id]));
  return pageOf(
    await auditRows(db, { ...filter, before: before?.[0] ?? null, count: limit + 1 }),
    limit,
    (row) => [row.id],
  );
});
