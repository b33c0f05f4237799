// The bell: notifications that need no action.
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { OK, operation } from '../../../kernel/operation.ts';
import { done, id, listOf, page, time } from '../../../kernel/shapes.ts';

export const notification = z.object({
  id,
  kind: z.string(),
  sentence: z.string(),
  link: z.string().nullable(),
  at: time,
  read_at: time.nullable(),
});
named('Notification', notification);

const own = {
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
} as const;

export const notificationList = operation({
  ...own,
  name: 'notification_list',
  says: 'Lists the notifications of the person behind the caller, newest first.',
  method: 'GET',
  path: '/api/me/notifications',
  takes: z.strictObject(page),
  gives: listOf(notification),
  example: {},
  effect: 'read',
  needs: { action: 'account.read', on: () => ['account:own'] },
});

export const notificationsRead = operation({
  ...own,
  name: 'notifications_read',
  says: 'Marks all current notifications of the person behind the caller as read. A service token has none.',
  method: 'POST',
  path: '/api/me/notifications/read',
  takes: z.strictObject({}),
  gives: done,
  example: {},
  effect: 'write',
  needs: { action: 'account.write', on: () => ['account:own'] },
});
