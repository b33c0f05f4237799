// Where events are delivered and under which secret. Both acts that can send them elsewhere need wire (acts 15 and 16); the
// secret is shown by the call that minted it and never again.
import { z } from 'zod';
import { named } from '../../../kernel/names.ts';
import { OK, OK_WITH_SECRET, operation } from '../../../kernel/operation.ts';
import { text, time } from '../../../kernel/shapes.ts';

const SECRET = 'secret: 16 to 200 characters without spaces, or leave it out and one is made';

export const webhook = z.object({
  url: z.string().nullable(),
  on: z.boolean(),
  has_secret: z.boolean(),
  /** Since when attempts have failed without one that went well; null where the last went well. */
  failing_since: time.nullable(),
});
export type Webhook = z.infer<typeof webhook>;
named('Webhook', webhook);

const answer = z.object({ webhook });

export const eventsWebhookGet = operation({
  name: 'events_webhook_get',
  says: 'Reads where events are delivered, whether delivery is on, and since when it has been failing; never the secret.',
  method: 'GET',
  path: '/api/admin/events/webhook',
  takes: z.strictObject({}),
  gives: answer,
  example: {},
  effect: 'read',
  needs: { action: 'admin.event.read', on: () => ['admin:event'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const eventsWebhookSet = operation({
  name: 'events_webhook_set',
  says: 'Sets the address that events are delivered to. Turning delivery on without a secret mints one and shows it once.',
  method: 'PUT',
  path: '/api/admin/events/webhook',
  takes: z.strictObject({
    url: text(2_000),
    /** False keeps the address without delivering to it. */
    on: z.boolean().default(true),
    secret: z
      .string()
      .regex(/^[^\s\p{C}]{16,200}$/u, SECRET)
      .optional(),
  }),
  gives: answer.extend({
    /** Only where this call minted it. */
    secret: z.string().optional(),
  }),
  example: { url: 'https://hooks.example.com/dunnock' },
  effect: 'write',
  needs: { action: 'admin.event.write', on: () => ['admin:event'] },
  who: 'anyone',
  step_up: 'needed',
  wire: { act: 'events.webhook.set' },
  answers: OK_WITH_SECRET,
});

export const eventsWebhookOff = operation({
  name: 'events_webhook_off',
  says: 'Turns delivery of events off. The address and secret are kept, and events are marked skipped until it is on again.',
  method: 'DELETE',
  path: '/api/admin/events/webhook',
  takes: z.strictObject({}),
  gives: answer,
  example: {},
  effect: 'destroy',
  needs: { action: 'admin.event.write', on: () => ['admin:event'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
});

export const eventsSecretRotate = operation({
  name: 'events_secret_rotate',
  says: 'Creates a new signing secret for events and shows it once. The old one is no longer used.',
  method: 'POST',
  path: '/api/admin/events/secret/rotate',
  takes: z.strictObject({}),
  gives: z.object({ secret: z.string() }),
  example: {},
  effect: 'write',
  needs: { action: 'admin.event.write', on: () => ['admin:event'] },
  who: 'anyone',
  step_up: 'needed',
  wire: { act: 'events.secret.rotate' },
  answers: OK_WITH_SECRET,
});
