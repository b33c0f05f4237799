// The webhook of a mail vendor: how things exist, registering it (wire act 11), rotating its secret (wire act 12) and taking
// it away. Its secret goes from the vendor into the database and is shown to no one.
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { OK, operation } from '../../../kernel/operation.ts';
import { principal, time } from '../../../kernel/shapes.ts';
import { VENDORS } from '../../../mail/transport.rules.ts';

export const vendorWebhook = z.object({
  provider: z.enum(VENDORS),
  /** Where the vendor posts to. */
  url: z.string(),
  /** In the vendor's names. */
  events: z.array(z.string()),
  registered_by: principal,
  registered_at: time,
  rotated_at: time.nullable(),
  /** When it last reported anything, to the minute. */
  last_event_at: time.nullable(),
});
export type VendorWebhook = z.infer<typeof vendorWebhook>;
named('VendorWebhook', vendorWebhook);

const vendorState = z.object({
  provider: z.enum(VENDORS),
  title: z.string(),
  /** Whether a key is saved, without which nothing can be asked of it. */
  key_set: z.boolean(),
  /** Kinds of event that it can report. */
  events: z.array(z.string()),
  webhook: vendorWebhook.nullable(),
});

const which = z.enum(VENDORS);
const ofVendor = { who: 'anyone' } as const;
const on = () => ['outreach:vendor'];

export const vendorRead = operation({
  name: 'vendor_read',
  says: 'Reads the state of mail vendors: whether a key is saved, what their webhook reports, and when it last did.',
  method: 'GET',
  path: '/api/admin/outreach/vendor',
  takes: z.strictObject({}),
  gives: z.object({ vendors: z.array(vendorState) }),
  example: {},
  effect: 'read',
  needs: { action: 'outreach.vendor.read', on },
  ...ofVendor,
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const vendorWebhookRegister = operation({
  name: 'vendor_webhook_register',
  says: 'Has a mail vendor report what becomes of letters to this instance. One that is registered already is replaced; bounces and complaints are always among its events.',
  method: 'POST',
  path: '/api/admin/outreach/vendor/webhook',
  takes: z.strictObject({
    provider: which,
    /** All of them where none are named. */
    events: z.array(z.string().min(1).max(100)).min(1).max(50).optional(),
  }),
  gives: z.object({ webhook: vendorWebhook }),
  example: { provider: 'resend' },
  effect: 'write',
  needs: { action: 'outreach.vendor.register', on },
  ...ofVendor,
  step_up: 'no',
  wire: { act: 'vendor.webhook.register' },
  answers: OK,
});

export const vendorWebhookRotate = operation({
  name: 'vendor_webhook_rotate',
  says: "Has a mail vendor make a new secret for its reports; what it still signs with the old one is taken for the vendor's own time.",
  method: 'POST',
  path: '/api/admin/outreach/vendor/webhook/rotate',
  takes: z.strictObject({ provider: which }),
  gives: z.object({ webhook: vendorWebhook }),
  example: { provider: 'resend' },
  effect: 'write',
  needs: { action: 'outreach.vendor.rotate', on },
  ...ofVendor,
  step_up: 'no',
  wire: { act: 'vendor.webhook.rotate' },
  answers: OK,
});

export const vendorWebhookRemove = operation({
  name: 'vendor_webhook_remove',
  says: 'Takes no further report of a mail vendor, and asks it to send none.',
  method: 'DELETE',
  path: '/api/admin/outreach/vendor/webhook',
  takes: z.strictObject({ provider: which.default('resend') }),
  gives: z.object({
    /** Whether the vendor was told; where it was not, what it posts is refused all the same. */
    told: z.boolean(),
    sentence: z.string(),
  }),
  example: { provider: 'resend' },
  effect: 'destroy',
  needs: { action: 'outreach.vendor.unregister', on },
  ...ofVendor,
  step_up: 'no',
  wire: 'never',
  answers: OK,
});
