// Handlers of the bell: the notifications of the person behind the caller. A service token has none.
import { z } from 'zod';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { bind } from '../../../kernel/context.ts';
import { id } from '../../../kernel/shapes.ts';
import { notificationList, notificationsRead } from './contract.ts';
import { markRead, notificationRows } from './store.ts';

export const list = bind(notificationList, async ({ db, caller }, { limit, cursor }) => {
  const before = keyIn(cursor, () => z.tuple([id]));
  const rows = caller.user_id
    ? await notificationRows(db, caller.user_id, before?.[0] ?? null, limit + 1)
    : [];
  const page = pageOf(rows, limit, (row) => [row.id]);
  return {
    ...page,
    items: page.items.map((row) => ({
      ...row,
      at: row.at.toISOString(),
      read_at: row.read_at?.toISOString() ?? null,
    })),
  };
});

export const read = bind(notificationsRead, async ({ db, caller, now, tell }) => {
  if (caller.user_id) {
    await markRead(db, caller.user_id, now);
    tell('notifications', caller.user_id);
  }
  return { ok: true } as const;
});
