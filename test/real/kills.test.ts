// The product's process is killed again and again while two thousand letters leave for a real Postfix: none is in a mailbox twice,
// and none is missing that is not listed as uncertain.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crashRound } from '../letters/crash.ts';
import { comes, openWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld({ passes: false });
});
afterAll(() => world?.close());

test('20 kills while 2,000 letters go out', { timeout: 900_000 }, async () => {
  const box = join(world.imap.folder, 'mail/everybody/new');
  const names = (): Promise<string[]> => readdir(box).catch(() => []);
  const seen = await crashRound({
    letters: 2_000,
    kills: 20,
    processes: 1,
    lifeMs: () => Math.random() * 600,
    receiver: {
      port: world.ports.theirs,
      arrivals: async () => (await names()).length,
      async arrived() {
        await comes(async () => expect(await world.theirs.queued()).toBe(0));
        const times = new Map<string, number>();
        for (const name of await names()) {
          const [, id = ''] =
            /^message-id: *(?:\r?\n[ \t])?(<[^>]+>)/im.exec(await readFile(join(box, name), 'latin1')) ?? [];
          times.set(id, (times.get(id) ?? 0) + 1);
        }
        return times;
      },
      end: () => undefined,
    },
  });
  expect(seen).toMatchObject({ twice: [], lost: [], invented: [] });
  expect(seen.kills).toBeGreaterThanOrEqual(20);
  expect(seen.uncertain).toBeLessThanOrEqual(8 * seen.kills);
  expect(seen.states['sent']).toBe(2_000 - seen.uncertain);
});
