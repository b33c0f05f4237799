import type { Feature } from '../../../kernel/app.ts';
import { notificationsExpiry } from './expiry.pass.ts';
import { list, read } from './handlers.ts';
import { noticeMails } from './mail.pass.ts';

export const notifications: Feature = {
  name: 'notifications',
  operations: [list, read],
  passes: [notificationsExpiry, noticeMails],
};
