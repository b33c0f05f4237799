// Six minutes beside mail servers that hang, are slow or cut, with the product's own deadlines and two processes that send by
// themselves: the letters of an identity whose server works, and its people's answers, leave within twice their quiet time in
// every minute of it, each once, and whatever waits says why.
import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { whyNot } from '../../src/features/outreach/sends/letter/outlook.ts';
import type { ChildOrders } from '../letters/crash.ts';
import { openDesk } from '../letters/desk.ts';
import { makeSlots } from '../letters/backoffs.ts';
import { freshDatabase } from '../support/database.ts';
import { drop, hang, scriptedSmtp, smtpSink } from '../support/smtp.ts';

const WAVES = 11;
const EVERY_MS = 30_000;
const LETTERS = 20;
/** The timer of the pass, and what a busy machine adds. */
const SHORT_MS = 6_000;

test('six minutes beside mail servers that hang', { timeout: 900_000 }, async () => {
  const database = await freshDatabase();
  const masterKey = randomBytes(32);
  const app = await openDesk({ database, masterKey });
  await using sink = await smtpSink();
  await using silent = await scriptedSmtp({ greeting: hang });
  await using envelope = await scriptedSmtp({ MAIL: hang });
  await using unanswered = await scriptedSmtp({ end: hang });
  await using cuts = await scriptedSmtp({ body: drop });
  await using slow = await scriptedSmtp({
    end: (socket) =>
      void setTimeout(() => socket.destroyed || socket.write('250 2.0.0 ok\r\n'), 20_000).unref(),
  });
  const children: ChildProcess[] = [];
  try {
    const bad = [silent, envelope, unanswered, cuts, slow];
    const { untilLeft, more } = await makeSlots(app, [
      { port: sink.port, letters: 0 },
      ...bad.map(({ port }) => ({ port, letters: 0 })),
    ]);
    for (let n = 0; n < 2; n += 1) {
      const orders: ChildOrders = {
        database: database.options,
        masterKey: masterKey.toString('hex'),
        untilIdle: false,
        name: 'test',
      };
      const child = fork(join(import.meta.dirname, '../letters/crash-child.ts'), [JSON.stringify(orders)], {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      children.push(child);
      await new Promise((resolve, reject) => {
        child.once('message', resolve);
        child.once('exit', reject);
      });
    }
    const wave = async (): Promise<string[]> => [
      ...(await more(0, LETTERS, 'letters')),
      ...(await more(0, 2, 'answers')),
    ];
    const quiet = await untilLeft(await wave(), 120_000);
    for (let backoff = 1; backoff <= bad.length; backoff += 1) {
      await more(backoff, 30, 'letters');
      await more(backoff, 2, 'answers');
    }
    const took: number[] = [];
    for (let n = 0; n < WAVES; n += 1) {
      await sleep(EVERY_MS);
      took.push(await untilLeft(await wave(), 120_000));
    }
    const now = app.clock.now();
    const waiting = await app.sql<{ id: string }[]>`
      select id from sends where state in ('scheduled', 'sending') and scheduled_for < ${new Date(now.getTime() - 10_000)}`;
    expect(waiting.length).toBeGreaterThan(0);
    for (const { id } of waiting)
      expect((await whyNot(app.sql, id, now, app.instance.app))?.why_not, id).not.toBeNull();
    expect(Math.max(...took)).toBeLessThan(Math.max(2 * quiet, SHORT_MS));
    const ids = sink.letters.map(
      ({ bytes }) => /^message-id:\s*(<[^>]+>)/im.exec(bytes.toString('latin1'))?.[1],
    );
    expect(ids).toHaveLength((WAVES + 1) * (LETTERS + 2));
    expect(new Set(ids).size).toBe(ids.length);
    // Five minutes after the end of a letter no one knows of it, and it is listed.
    expect(await app.sql`select 1 from sends where state = 'uncertain'`).not.toHaveLength(0);
  } finally {
    for (const child of children) child.kill('SIGKILL');
    await app.close();
    await database.drop();
  }
});
