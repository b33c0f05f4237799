// Conversations laid by their own stores and read through the entry points, for tests of threads.
import { expect } from 'vitest';
import { openThread } from '../../src/features/inbox/threads/record/open.store.ts';
import { insertTouch, type NewTouch } from '../../src/features/inbox/threads/record/touch.store.ts';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import type { Transaction } from '../../src/kernel/database.ts';
import type { Answer, TestApp } from './app.ts';

type Answered = Promise<Answer['body']>;

/** `at` gives the app of the test file, which is opened after this is called. */
export function talksIn(at: () => TestApp) {
  const now = (): Date => at().clock.now();
  const transact = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
    at().instance.app.database.transact(work);
  const as = async (method: string, path: string, status: number, body?: object): Answered => {
    const answer = await at().admin.rest(method, path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    return answer.body;
  };
  const get = (path: string, status = 200): Answered => as('GET', path, status);
  return {
    now,
    transact,
    get,
    act: (path: string, body: object, status: number): Answered => as('POST', path, status, body),
    aThread: (thread: Partial<Parameters<typeof openThread>[1]> = {}): Promise<string> =>
      transact((tx) => openThread(tx, { channel: 'email', subject: 'Prices', ...thread }, now())),
    async say(thread_id: string, direction: 'in' | 'out', more: Partial<NewTouch> = {}) {
      at().clock.advance(MINUTE_MS);
      const touch: NewTouch = { thread_id, direction, channel: 'email', at: now(), text: 'Hello', ...more };
      return transact((tx) => insertTouch(tx, touch, now()));
    },
    read: async (id: string): Answered => (await get(`/api/threads/${id}`)).thread,
    said: async (id: string): Promise<string[]> =>
      (await get(`/api/threads/${id}`)).touches.map((each: { id: string }) => each.id),
    found: async (query: string): Promise<string[]> =>
      (await get(`/api/mail/search?${query}`)).items.map((each: { id: string }) => each.id),
  };
}
