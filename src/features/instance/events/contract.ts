// Live change notifications for open screens. It carries only (topic, id): a screen refetches what it shows, under its own rights.
import { z } from 'zod';
import { operation } from '../../../kernel/operation.ts';
import { EVENTS_STREAM } from '../../../kernel/sentences.ts';

export const eventsLive = operation({
  name: 'events_live',
  says: 'Streams changes, as (topic, id), to an open screen.',
  method: 'GET',
  path: '/api/events',
  takes: z.strictObject({}),
  gives: z.object({ topic: z.string(), id: z.string() }),
  example: {},
  effect: 'read',
  needs: { action: 'account.read', on: () => ['account:own'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: { stream: 'sse', instead: EVENTS_STREAM },
});
