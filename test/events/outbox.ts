// Short names for tests of deliveries: an event as a feature queues it, one pass, the rows as the route shows them, and a
// receiver that holds its answers back.
import type { ServerResponse } from 'node:http';
import { expect } from 'vitest';
import type { Delivery } from '../../src/features/instance/events/deliveries.contract.ts';
import type { EventData, EventName } from '../../src/kernel/events.rules.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { TestApp, TokenClient } from '../support/app.ts';
import { receiver, type Receiver } from '../support/receiver.ts';

export const address = (server: Receiver): string => `http://127.0.0.1:${server.port}/hook`;

const desks = new WeakMap<TestApp, Promise<TokenClient>>();

/** An administrator's token with wire: it stays good, however far a test moves the clock. Minted at the first call. */
export function desk(app: TestApp): Promise<TokenClient> {
  const minted = desks.get(app) ?? app.token({ scopes: { wire: true } });
  desks.set(app, minted);
  return minted;
}

/** Sets the address as an administrator does; gives the minted secret, where this call minted one. */
export async function setWebhook(
  app: TestApp,
  url: string,
  more: Record<string, unknown> = {},
): Promise<string> {
  const set = await (await desk(app)).rest('PUT', '/api/admin/events/webhook', { url, ...more });
  expect(set.status, JSON.stringify(set.body)).toBe(200);
  // The change notifications of it interrupts a batch that is under way, and a test counts the looks and posts of a batch.
  await new Promise((resolve) => setTimeout(resolve, 60));
  return set.body.secret;
}

/** One of each kind, with ids that are drawn again. */
export const sample = (): { [E in EventName]: EventData[E] } => ({
  'reply.landed': {
    touch_id: newId(),
    person_id: newId(),
    campaign_id: null,
    channel: 'email',
    reading: 'positive',
  },
  'send.held': { send_id: newId(), campaign_id: newId(), person_id: newId(), reason: 'daily_cap' },
  'domain.paused': { domain_id: newId(), domain: 'bücher.example', reason: 'bounces' },
  'deal.opened': {
    deal_id: newId(),
    campaign_id: null,
    person_id: newId(),
    prospect_id: null,
    state: 'open',
  },
  'work.review_parked': {
    item_id: newId(),
    project_id: newId(),
    title: 'Größe prüfen ✓',
    approval_id: newId(),
    moved_by: { kind: 'agent', id: newId(), name: 'scout' },
  },
});

/** Queues `count` events in one transaction, as the act of a feature does; their ids. */
export async function emit(app: TestApp, count = 1, event: EventName = 'send.held'): Promise<string[]> {
  const { database } = app.instance.app;
  const ids = await database.transact(async (tx) => {
    const made: string[] = [];
    for (let n = 0; n < count; n++)
      made.push(await database.emit(tx, event, sample()[event], app.clock.now()));
    return made;
  });
  database.tell([{ topic: 'events_due', id: '' }]);
  return ids;
}

/** Runs the pass until nothing is due. */
export const pass = (app: TestApp): Promise<number> => app.instance.jobs.run('deliveries');

/** Newest first, as an administrator reads them. */
export async function rows(app: TestApp, query = ''): Promise<Delivery[]> {
  const answer = await (await desk(app)).rest('GET', `/api/admin/events/recent?limit=200${query}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.items;
}

export type Held = AsyncDisposable & {
  server: Receiver;
  /** Until so many requests wait for their answer. */
  waits(count: number): Promise<void>;
  /** Answers all that wait, and from then on at once. */
  letGo(): void;
};

/** Answers nothing until it is let go, then 200. */
export async function held(): Promise<Held> {
  const waiting: ServerResponse[] = [];
  let open = false;
  const server = await receiver((response) => {
    if (open) response.writeHead(200).end();
    else waiting.push(response);
  });
  return {
    server,
    async waits(count) {
      while (waiting.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
    },
    letGo() {
      open = true;
      for (const response of waiting.splice(0)) response.writeHead(200).end();
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
