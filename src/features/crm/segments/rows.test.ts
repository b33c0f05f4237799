// Checks that what a segment counts, and whom it gives to an enrolment, are the people its caller may read.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type PersonClient, type TestApp } from '../../../../test/support/app.ts';

let app: TestApp;
let admin: PersonClient;
const PEOPLE = '/api/admin/crm/people';
const SEGMENTS = '/api/admin/crm/segments';

beforeAll(async () => {
  app = await openTestApp();
  admin = app.admin;
  for (const name of ['Ann Lee', 'Bo Ray', 'Cy Moe'])
    expect((await admin.rest('POST', PEOPLE, { name })).status).toBe(201);
  const filter = { all: [c('name', 'contains', 'ann')] };
  await admin.rest('POST', SEGMENTS, { name: 'Hers', filter });
});
afterAll(() => app?.close());

const c = (field: string, op: string, value: unknown) => ({ field, op, value });

describe('hole B1: a count has the people its caller may read, and no one else', () => {
  const one = { all: [c('name', 'contains', 'ann')] };
  const ann = async () => (await admin.rest('GET', `${PEOPLE}?query=ann`)).body.items[0].id;

  test('whoever may save segments but read no one is told no count', async () => {
    await admin.rest('POST', '/api/admin/policies', {
      name: 'segments-alone',
      version: 1,
      statements: [{ effect: 'allow', actions: ['crm.segment.*'], resources: ['*'] }],
    });
    const by = await app.token({ mode: 'service', policies: ['segments-alone'] });
    const asked = await by.rest('POST', `${SEGMENTS}/count`, { filter: one });
    expect([asked.status, asked.body.error?.code]).toEqual([403, 'policy_denied']);
    const made = await by.rest('POST', SEGMENTS, { name: 'Blind', filter: one });
    expect([made.status, made.body.segment.count]).toEqual([201, 0]);
    const changed = { revision: 1, filter: { all: [c('name', 'contains', 'bo')] } };
    const patched = await by.rest('PATCH', `${SEGMENTS}/${made.body.segment.id}`, changed);
    expect(patched.body.segment.count).toBe(0);
    const listed = (await by.rest('GET', SEGMENTS)).body.items;
    expect(listed.length).toBeGreaterThan(1);
    expect(listed.filter(({ count: has }: any) => has > 0)).toEqual([]);
  });

  test('someone who is denied by name is in no count, no export and no enrolment of a segment', async () => {
    const id = await ann();
    await admin.rest('POST', '/api/admin/policies', {
      name: 'not-ann',
      version: 1,
      statements: [
        { effect: 'allow', actions: ['crm.*', 'outreach.*'], resources: ['*'] },
        { effect: 'deny', actions: ['crm.person.*'], resources: [`crm:person/${id}`] },
      ],
    });
    const by = await app.person({ policies: ['not-ann'] });
    const everybody = { all: [c('created', 'after', '2020-01-01')] };
    for (const [filter, most] of [
      [one, 0],
      [everybody, 2],
    ] as const) {
      expect((await by.rest('POST', `${SEGMENTS}/count`, { filter })).body).toEqual({ count: most });
      const { segment } = (await by.rest('POST', SEGMENTS, { name: `Seen ${most}`, filter })).body;
      expect(segment.count).toBe(most);
      const listed = (await by.rest('GET', SEGMENTS)).body.items.find((it: any) => it.id === segment.id);
      expect(listed.count).toBe(most);
      expect((await admin.rest('POST', `${SEGMENTS}/count`, { filter })).body).toEqual({ count: most + 1 });
      const campaign = await admin.rest('POST', '/api/admin/outreach/campaigns', { name: `Seen ${most}` });
      const enrol = { segment: segment.id, dry_run: true };
      const path = `/api/admin/outreach/campaigns/${campaign.body.campaign.id}/enrol`;
      const dry = (await by.rest('POST', path, enrol)).body;
      expect(JSON.stringify(dry)).not.toContain(id);
      expect(dry.refused.length + dry.enrolled).toBe(most);
    }
    await by.rest('GET', `${PEOPLE}/export?query=ann`);
    const [{ sentence }] = (await app.sql`
      select sentence from audit where act = 'person_export' order by id desc limit 1`) as any;
    expect(sentence).toContain('0 people as CSV');
  });
});
