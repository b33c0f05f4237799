// A letter that is recorded while its conversation is split or merged: it is written where it is by then, and counted there.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aConversation } from '../../../../../test/letters/conversation.ts';
import { layDesk, openDesk } from '../../../../../test/letters/desk.ts';
import type { TestApp } from '../../../../../test/support/app.ts';
import { smtpSink } from '../../../../../test/support/smtp.ts';
import { oneWaits } from '../../../../../test/support/locks.ts';
import { talksIn } from '../../../../../test/support/threads.ts';
import type { Transaction } from '../../../../kernel/database.ts';
import { mergeThreads, splitThread } from '../merge/merge.store.ts';
import { lockThreadsOfLetters } from './out.store.ts';
import { lockThread, lockThreads } from '../store.ts';
import { ADMIN } from '../../../../../test/support/plans.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openDesk();
});
afterAll(() => app?.close());

const { act, transact, aThread } = talksIn(() => app);

const SPLIT = 'inbox.thread.split';

test.each([
  [
    'split',
    async (tx: Transaction, from: string, touch: string) =>
      splitThread(
        tx,
        ADMIN,
        await lockThread(tx, ADMIN, SPLIT, from),
        { touches: [touch], subject: undefined },
        app.clock.now(),
      ),
  ],
  [
    'merged',
    async (tx: Transaction, from: string) => {
      const into = await aThread();
      const [one, other] = await lockThreads(tx, ADMIN, 'inbox.thread.merge', [into, from]);
      await mergeThreads(tx, one, other, app.clock.now());
      return into;
    },
  ],
])('whoever records a letter holds the conversation it is in once it was %s', async (_how, moves) => {
  await using sink = await smtpSink();
  const desk = await layDesk(app, { identity: { port: sink.port } });
  await desk.send();
  const thread = await aConversation(app, desk, null);
  const { touch_id } = await thread.writes();
  const answer = await thread.drafted(app.admin);
  const sent = await act(`${thread.path}/${answer.id}/send`, { fingerprint: answer.fingerprint }, 200);
  const letter: string = sent.answer.send_id;

  const [moved, locked, release] = [
    Promise.withResolvers<string>(),
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
  ];
  const finish = Promise.withResolvers<void>();
  const mover = transact(async (tx) => {
    moved.resolve(await moves(tx, thread.id, touch_id));
    await release.promise;
  });
  const home = await moved.promise;
  const recorder = transact(async (tx) => {
    await lockThreadsOfLetters(tx, [letter]);
    locked.resolve();
    await finish.promise;
  });
  await oneWaits(app, 'coalesce(f.merged_into, f.id)');
  release.resolve();
  await Promise.all([mover, locked.promise]);
  const [where] = await app.sql<{ thread_id: string }[]>`select thread_id from sends where id = ${letter}`;
  const free = await app.sql`select id from threads where id = ${home} for no key update skip locked`;
  finish.resolve();
  await recorder;
  expect([where?.thread_id, free]).toEqual([home, []]);
});
