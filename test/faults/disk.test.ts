// The database's disk is full: what would be written is refused in one sentence and nothing of it is kept, reading goes on,
// and it works again automatically once there is room.
import { statSync } from 'node:fs';
import postgres from 'postgres';
import { inject, expect, test } from 'vitest';
import { openTestApp, type Answer } from '../support/app.ts';
import { NO_DISK, smallDisk } from '../support/small-disk.ts';

const WORDS = 'x'.repeat(190);

test('a full disk refuses acts of people and agents in one sentence, keeps nothing of them, and heals without a restart', async ({
  skip,
}) => {
  const app = await openTestApp();
  const { options } = inject('testServer');
  const admin = postgres({
    ...options,
    database: (await app.sql<{ name: string }[]>`select current_database() as name`)[0]!.name,
    max: 1,
    onnotice: () => undefined,
  });
  const [{ data_directory } = { data_directory: '' }] = await admin<
    { data_directory: string }[]
  >`show data_directory`;
  const owner = statSync(data_directory, { throwIfNoEntry: false });
  using disk = owner ? smallDisk(6, owner) : null;
  const space = `small_${Math.random().toString(36).slice(2)}`;
  try {
    if (!disk) return skip(NO_DISK);
    await app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
    const agent = await app.token({ scopes: { wire: true } });
    expect((await agent.tool('work_search', { project: 'OUT' })).isError).toBe(false);
    await admin.unsafe(`create tablespace ${space} location '${disk.folder}'`);
    await admin.unsafe(`alter table work_items set tablespace ${space}`);

    for (let each = 0; each < 2; each += 1) {
      await admin.unsafe(`create table filler (text text) tablespace ${space}`);
      const full = admin`insert into filler select repeat('x', 1000) from generate_series(1, 20_000)`;
      await expect(full).rejects.toMatchObject({ code: '53100' });
      // The last page may have room for some.
      const create = (): Promise<Answer> =>
        agent.rest('POST', '/api/work/items', {
          project: 'OUT',
          title: WORDS,
          description: WORDS.repeat(20),
        });
      let refused = await create();
      for (let more = 0; more < 100 && refused.status === 201; more += 1) refused = await create();
      const before = (await app.sql`select 1 from work_items`).length;
      expect([refused.status, refused.body.error.code]).toEqual([503, 'unavailable']);
      expect(refused.body.error.message).toMatch(/^the database’s disk is full, so nothing was changed: /);
      const byPerson = await app.admin.rest('POST', '/api/work/items', {
        project: 'OUT',
        title: WORDS,
        description: WORDS.repeat(20),
      });
      expect([byPerson.status, byPerson.body.error.message]).toEqual([503, refused.body.error.message]);
      const called = await agent.tool('work_create', {
        project: 'OUT',
        title: WORDS,
        description: WORDS.repeat(20),
      });
      expect([called.isError, called.text]).toEqual([true, expect.stringContaining('disk is full')]);
      expect((await app.admin.rest('GET', '/api/work/items')).status).toBe(200);
      expect((await app.sql`select 1 from work_items`).length).toBe(before);
      const [audit] = await app.sql<{ done: number }[]>`
        select count(*)::int as done from audit where act = 'item_create' and outcome = 'done'`;
      expect(audit?.done).toBe(before);

      await admin`drop table filler`;
      await expect.poll(async () => (await create()).status, { interval: 50 }).toBe(201);
    }
  } finally {
    if (disk) {
      await admin.unsafe('alter table work_items set tablespace pg_default').catch(() => undefined);
      await admin.unsafe('drop table if exists filler');
      await admin.unsafe(`drop tablespace if exists ${space}`);
    }
    await admin.end();
    await app.close();
  }
});
