// Short names for tests of deliveries: an event as a feature queues it, one pass, the rows as the route shows them, and a
// receiver that holds its answers back.
import type { ServerResponse } from 'node:http';
import { expect } from 'vitest';
import type { Delivery } from '../../src/features/instance/events/deliveries.contract.ts';
import type { EventData, EventName } from '../../src/kernel/events.rules.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { TestHouse, TokenClient } from '../support/house.ts';
import { receiver, type Receiver } from '../support/receiver.ts';

export const address = (server: Receiver): string => `http://127.0.0.1:${server.port}/hook`;

const desks = new WeakMap<TestHouse, Promise<TokenClient>>();

/** An administrator's token with wire: it stays good, however far a test moves the clock. Minted at the first call. */
export function desk(house: TestHouse): Promise<TokenClient> {
  const minted = desks.get(house) ?? house.token({ scopes: { wire: true } });
  desks.set(house, minted);
  return minted;
}

/** Sets the address as an administrator does; gives the minted secret, where this call minted one. */
export async function setWebhook(
  house: TestHouse,
  url: string,
  more: Record<string, unknown> = {},
): Promise<string> {
  const set = await (await desk(house)).rest('PUT', '/api/admin/events/webhook', { url, ...more });
  expect(set.status, JSON.stringify(set.body)).toBe(200);
  // The news of it interrupts a batch that is under way, and a test counts the looks and posts of a batch.
  await new Promise((resolve) => setTimeout(resolve, 60));
  return set.body.secret;
}

/** One of each kind, with ids that are drawn anew. */
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
export async function emit(house: TestHouse, count = 1, event: EventName = 'send.held'): Promise<string[]> {
  const { ground } = house.instance.house;
  const ids = await ground.transact(async (tx) => {
    const made: string[] = [];
    for (let n = 0; n < count; n++)
      made.push(await ground.emit(tx, event, sample()[event], house.clock.now()));
    return made;
  });
  ground.tell([{ topic: 'events_due', id: '' }]);
  return ids;
}

/** Runs the pass until nothing is due. */
export const pass = (house: TestHouse): Promise<number> => house.instance.jobs.run('deliveries');

/** Newest first, as an administrator reads them. */
export async function rows(house: TestHouse, query = ''): Promise<Delivery[]> {
  const answer = await (await desk(house)).rest('GET', `/api/admin/events/recent?limit=200${query}`);
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
