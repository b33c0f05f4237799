// What the feature gives to the house.
import type { Feature } from '../../../kernel/house.ts';
import { notificationsExpiry } from './expiry.pass.ts';
import { list, read } from './handlers.ts';

export const notifications: Feature = {
  name: 'notifications',
  operations: [list, read],
  passes: [notificationsExpiry],
};
