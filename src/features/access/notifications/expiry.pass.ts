// Forgets old notifications.
import { expiryPass } from '../../../kernel/pass.ts';
import { forgetOld } from './store.ts';

export const notificationsExpiry = expiryPass('notifications_expiry', 'settings', forgetOld);
