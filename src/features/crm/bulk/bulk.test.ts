// Owns bulk actions: who is acted on, the gates of each act, what can be undone, and that nothing is done twice whoever dies.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aCampaign, aDesk, type Desk, O, somebody } from '../../../../test/support/letters.ts';
import { freshDatabase, type FreshDatabase } from '../../../../test/support/database.ts';
import { openTestApp, type RestClient, type TestApp } from '../../../../test/support/app.ts';

const BULK = '/api/admin/crm/people/bulk';

let database: FreshDatabase;
let app: TestApp;
let desk: Desk;
beforeAll(async () => {
  database = await freshDatabase();
  app = await openTestApp({ database });
  desk = await aDesk(app);
});
afterAll(async () => {
  await app?.close();
  await database?.drop();
});

/** So many people with this tag. */
const crowd = (tag: string, count: number): Promise<unknown> => app.sql`
  insert into people (id, name, name_key, search, tags, created_by_kind, created_by_id, created_by_name, created_at, updated_at)
  select gen_random_uuid(), 'P ' || n, 'p', ''::tsvector, array[${tag}::text], 'person', 'x', 'x', now(), now()
  from generate_series(1, ${count}) n`;

async function started(args: object, by: RestClient = app.admin, path = BULK): Promise<any> {
  const answer = await by.rest('POST', path, args);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.job;
}
async function ended(job: { id: string }): Promise<any> {
  await app.instance.jobs.run('bulk');
  return (await app.admin.rest('GET', `${BULK}/${job.id}`)).body;
}
const tagged = async (tag: string): Promise<number> => {
  const [row] = await app.sql<{ n: number }[]>`
    select count(*)::int as n from people where ${tag} = any (tags)`;
  return row?.n ?? 0;
};
const person = async (id: string): Promise<any> =>
  (await app.admin.rest('GET', `/api/admin/crm/people/${id}`)).body.person;

describe('tags and fields', () => {
  test('everyone a filter matches is tagged with one fact each and one entry in the log, and it can be undone once', async () => {
    await crowd('fair', 1_203);
    const counted = await app.admin.rest('GET', '/api/admin/crm/people/count?tag=fair');
    expect(counted.body).toEqual({ people: 1_203 });
    const job = await started({ act: 'add_tags', tags: ['autumn'], filter: { tag: ['fair'] } });
    expect(job).toMatchObject({ state: 'going', total: 1_203, done: 0 });
    const { job: after } = await ended(job);
    expect(after).toMatchObject({ state: 'done', done: 1_203, unchanged: 0, refused: 0, undoable: true });
    expect(await tagged('autumn')).toBe(1_203);
    const facts = await app.sql`
      select count(*)::int as n, count(distinct person_id)::int as of from person_facts where kind = 'changed'`;
    expect(facts[0]).toEqual({ n: 1_203, of: 1_203 });
    const entries = await app.sql`select act from audit where resource = ${`crm:bulk/${job.id}`}`;
    expect(entries).toEqual([{ act: 'bulk_start' }]);

    // Whoever has it already, or was changed since, is left alone.
    const [one] = await app.sql<{ id: string }[]>`select id from people where 'autumn' = any (tags) limit 1`;
    const { revision } = await person(one?.id ?? '');
    await app.admin.rest('PATCH', `/api/admin/crm/people/${one?.id}`, { revision, tags: ['fair'] });
    const undone = (await app.admin.rest('POST', `${BULK}/${job.id}/undo`, {})).body.job;
    expect((await ended(undone)).job).toMatchObject({ act: 'undo', done: 1_202, unchanged: 1 });
    expect([await tagged('autumn'), await tagged('fair')]).toEqual([0, 1_203]);
    const again = await app.admin.rest('POST', `${BULK}/${job.id}/undo`, {});
    expect([again.status, again.body.error.message]).toEqual([409, 'this bulk action was already undone']);
  });

  test('fields are set as one by one, and an undo keeps what changed since', async () => {
    const [ann, ben] = [await somebody(app), await somebody(app)];
    const job = await started({
      act: 'set',
      fields: { country: 'BE', source: 'Fair', owner: 'me' },
      people: [ann.id, ben.id],
    });
    await ended(job);
    expect(await person(ann.id)).toMatchObject({
      country: 'BE',
      source: 'Fair',
      owner: { id: app.admin.id },
      revision: 2,
    });
    await app.admin.rest('PATCH', `/api/admin/crm/people/${ben.id}`, { revision: 2, country: 'NL' });
    const undone = (await app.admin.rest('POST', `${BULK}/${job.id}/undo`, {})).body.job;
    const { rows } = await ended(undone);
    expect((await person(ann.id)).owner).toBeNull();
    expect(await person(ben.id)).toMatchObject({ country: 'NL', source: 'fair', owner: null });
    const kept = rows.items.find((row: any) => row.person.id === ben.id);
    expect(kept).toMatchObject({ outcome: 'done', why: 'changed since and kept: country' });
  });

  test('what a token without wire changes of many counts as edited by it, and what a person changes does not', async () => {
    const { id } = await somebody(app);
    const edited = async (): Promise<string[]> => {
      const [row] = await app.sql<{ edited: string[] }[]>`select edited from people where id = ${id}`;
      return row?.edited ?? [];
    };
    const args = { act: 'add_tags', tags: ['edited'], people: [id] };
    await ended(await started(args, await app.token()));
    expect(await edited()).toEqual(['person.tags']);
    await ended(await started({ ...args, act: 'remove_tags' }));
    expect(await edited()).toEqual([]);
    const { id: company } = (await app.admin.rest('POST', '/api/admin/crm/companies', { name: 'Other' })).body
      .company;
    await ended(
      await started(
        { act: 'set', fields: { company_id: company, source: 'x' }, people: [id] },
        await app.token(),
      ),
    );
    expect((await edited()).sort()).toEqual(['company', 'person.source']);
  });

  test('what no one may change is refused for them alone, and every bad field is named before anything starts', async () => {
    const { id } = await somebody(app);
    const bad = await app.admin.rest('POST', BULK, {
      act: 'set',
      fields: { owner: id, company_id: id },
      people: [id],
    });
    expect(bad.status).toBe(400);
    expect(Object.keys(bad.body.error.details.fields).sort()).toEqual(['fields.company_id', 'fields.owner']);
    expect((await app.admin.rest('POST', BULK, { act: 'enrol', people: [id] })).status).toBe(400);
    expect((await app.admin.rest('POST', BULK, { act: 'delete' })).status).toBe(400);

    const full = Array.from({ length: 50 }, (_, n) => `t${n}`);
    await app.admin.rest('PATCH', `/api/admin/crm/people/${id}`, { revision: 1, tags: full });
    const other = await somebody(app);
    const { job, rows } = await ended(
      await started({ act: 'add_tags', tags: ['one more'], people: [id, other.id] }),
    );
    expect(job).toMatchObject({ done: 1, refused: 1 });
    const refused = rows.items.filter((row: any) => row.outcome === 'refused');
    expect(refused.map(({ why }: any) => why)).toEqual(['a person can have at most 50 tags']);
  });
});

describe('other acts', () => {
  test('enrolling needs wire, goes through its gates and lists who was refused', async () => {
    const campaign = await aCampaign(app, desk);
    const [able, barred] = [await somebody(app), await somebody(app)];
    await app.admin.rest('POST', `${O}/suppressions`, { address: barred.address });
    const args = { campaign: campaign.id, people: [able.id, barred.id] };
    const path = `${BULK}/enrol`;
    const wireless = await app.token();
    expect((await wireless.rest('POST', path, args)).body.error.code).toBe('wire_required');
    const { job, rows } = await ended(await started(args, app.admin, path));
    expect(job).toMatchObject({ state: 'done', done: 1, refused: 1, undoable: false });
    expect(rows.items.find((row: any) => row.person.id === barred.id)).toMatchObject({
      outcome: 'refused',
      why: 'their address is suppressed',
    });
    expect(await app.sql`select person_id from prospects where campaign_id = ${campaign.id}`).toEqual([
      { person_id: able.id },
    ]);
  });

  test('suppressing and deleting do what the single acts do', async () => {
    const [ann, ben] = [await somebody(app), await somebody(app)];
    await ended(await started({ act: 'suppress', people: [ann.id] }));
    expect((await person(ann.id)).suppressed).toMatchObject({ reason: 'manual' });
    const { job, rows } = await ended(await started({ act: 'delete', people: [ben.id] }));
    expect(job).toMatchObject({ done: 1 });
    expect(rows.items).toEqual([{ no: 1, person: null, outcome: 'done', why: null }]);
    expect(await person(ben.id)).toBeUndefined();
  });
});

test('a process that hangs loses the job to another: everyone is done once', async () => {
  await crowd('crash', 2_000);
  const job = await started({ act: 'add_tags', tags: ['once'], filter: { tag: ['crash'] } });
  const other = await openTestApp({ database, setUp: false });
  other.clock.advance(10 * 60_000);
  await Promise.all([app.instance.jobs.run('bulk'), other.instance.jobs.run('bulk')]);
  await app.instance.jobs.run('bulk');
  await other.close();
  expect((await app.admin.rest('GET', `${BULK}/${job.id}`)).body.job).toMatchObject({
    state: 'done',
    done: 2_000,
    refused: 0,
  });
  const facts = await app.sql`
    select count(*)::int as n, count(distinct f.person_id)::int as of from person_facts f join people p on p.id = f.person_id
    where 'crash' = any (p.tags)`;
  expect(facts[0]).toEqual({ n: 2_000, of: 2_000 });
});

test('a job ends when whoever started it may do nothing any more, and one that is stopped leaves the rest', async () => {
  await crowd('leaver', 3);
  const token = await app.token();
  const job = await started({ act: 'add_tags', tags: ['gone'], filter: { tag: ['leaver'] } }, token);
  await app.sql`delete from tokens where id = ${token.id}`;
  const { job: after } = await ended(job);
  expect(after).toMatchObject({ state: 'stopped', done: 0 });
  expect(after.why).toContain('no longer has access');
  const stopped = await started({ act: 'add_tags', tags: ['gone'], filter: { tag: ['leaver'] } });
  expect((await app.admin.rest('POST', `${BULK}/${stopped.id}/stop`, {})).body.job.state).toBe('stopped');
  expect((await ended(stopped)).job).toMatchObject({ state: 'stopped', done: 0 });
  expect(await tagged('gone')).toBe(0);
});
