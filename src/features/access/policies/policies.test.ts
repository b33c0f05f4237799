// Covers policies and groups through the entry points: saved without a fault or not at all, built-in ones fixed, and
// explained as a request would meet them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../test/support/app.ts';
import { DAY_MS } from '../../../kernel/clock.ts';
import { faultOf, knownActions } from './rules.ts';
import { needsAction } from '../../../kernel/operation.ts';
import { BUILT_IN } from './built-in.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const allow = (actions: string[], resources = ['*']) => [{ effect: 'allow', actions, resources }];
const save = (name: string, statements: unknown, more: object = {}) =>
  app.admin.rest('POST', '/api/admin/policies', { name, version: 1, statements, ...more });

test('every action that an operation needs is one that a policy can name', () => {
  const known = knownActions([]);
  const missing = app.instance.app.operations
    .flatMap((op) => needsAction(op) ?? [])
    .filter((action) => action !== 'admin.token.mint' && !known.includes(action));
  expect(missing, 'add the noun or the act to the catalogue').toEqual([]);
  for (const policy of BUILT_IN) expect(faultOf(policy.statements, known)).toBeNull();
});

test('a policy is saved, changed, carried, counted and deleted only when no one carries it', async () => {
  const saved = await save('reader', allow(['work.*.read']));
  expect(saved).toMatchObject({
    status: 201,
    body: { policy: { name: 'reader', version: 1, built_in: false, attached: 0 } },
  });
  const ben = await app.person({ policies: ['reader'] });
  const token = await app.token({ mode: 'service', policies: ['reader'] });
  const group = await app.admin.rest('POST', '/api/admin/groups', {
    name: 'Readers',
    policies: ['reader'],
  });
  const { items } = (await app.admin.rest('GET', '/api/admin/policies')).body;
  expect(items.find((policy: { name: string }) => policy.name === 'reader')).toMatchObject({ attached: 3 });
  expect(await app.admin.rest('DELETE', '/api/admin/policies/reader')).toMatchObject({
    status: 409,
    body: { error: { message: expect.stringContaining('3 users') } },
  });
  await app.admin.rest('PATCH', `/api/admin/users/${ben.id}`, { policies: [] });
  await app.admin.rest('DELETE', `/api/admin/tokens/${token.id}`);
  await app.admin.rest('DELETE', `/api/admin/groups/${group.body.group.id}`);
  expect((await app.admin.rest('DELETE', '/api/admin/policies/reader')).body).toEqual({ ok: true });
  expect((await app.admin.rest('DELETE', '/api/admin/policies/reader')).status).toBe(404);
});

test('a change of a policy holds for everyone who carries it from the next request on', async () => {
  await save('shifting', allow(['admin.audit.read']));
  const token = await app.token({ mode: 'service', policies: ['shifting'] });
  const reads = async () => (await token.rest('GET', '/api/admin/audit?limit=1')).status;
  expect(await reads()).toBe(200);
  await app.admin.rest('PATCH', '/api/admin/policies/shifting', {
    version: 1,
    statements: [{ effect: 'deny', actions: ['admin.audit.read'], resources: ['*'] }],
  });
  expect(await reads()).toBe(403);
});

test('a deny beats every allow, a group’s included', async () => {
  await save('no-audit', [{ effect: 'deny', actions: ['admin.audit.*'], resources: ['*'] }]);
  const ben = await app.person({ policies: ['auditor'] });
  expect((await ben.rest('GET', '/api/admin/audit?limit=1')).status).toBe(200);
  await app.admin.rest('POST', '/api/admin/groups', {
    name: 'Blind',
    members: [ben.id],
    policies: ['no-audit'],
  });
  expect((await ben.rest('GET', '/api/admin/audit?limit=1')).status).toBe(403);
});

test('unknown keys, actions, effects, versions and resources are refused at save, and nothing is kept', async () => {
  const wrong: [unknown, object?][] = [
    [allow(['work.itm.read'])],
    [allow(['admin.token.mint'])],
    [allow(['*'], ['wrok:project/OUT'])],
    [[{ effect: 'permit', actions: ['*'], resources: ['*'] }]],
    [[{ effect: 'allow', action: ['*'], resources: ['*'] }]],
    [[{ effect: 'allow', actions: ['*'], resources: ['*'], unless: [] }]],
    [[{ effect: 'allow', actions: [], resources: ['*'] }]],
    [allow(['*']), { version: 2 }],
    [allow(['*']), { note: 'x' }],
  ];
  for (const [statements, more] of wrong) {
    const answer = await save('wrong', statements, more);
    expect(answer.status, JSON.stringify(statements)).toBe(400);
    expect(answer.body.error.message.length).toBeLessThan(300);
  }
  expect(await app.sql`select 1 from policies where name = 'wrong'`).toEqual([]);
});

test.each(BUILT_IN.map((policy) => policy.name))(
  'the built-in policy %s is neither edited, deleted nor shadowed',
  async (name) => {
    expect((await save(name, allow(['*']))).status).toBe(409);
    expect(
      (await app.admin.rest('PATCH', `/api/admin/policies/${name}`, { version: 1, statements: [] })).status,
    ).toBe(409);
    expect((await app.admin.rest('DELETE', `/api/admin/policies/${name}`)).status).toBe(409);
  },
);

test('the list has the built-in ones first and pages across both kinds', async () => {
  const names: string[] = [];
  for (let cursor = ''; ;) {
    const page = (await app.admin.rest('GET', `/api/admin/policies?limit=3${cursor && `&cursor=${cursor}`}`))
      .body;
    names.push(...page.items.map((policy: { name: string }) => policy.name));
    if (!page.next_cursor) break;
    cursor = page.next_cursor;
  }
  expect(names.slice(0, BUILT_IN.length)).toEqual(BUILT_IN.map((policy) => policy.name));
  expect(names).toContain('shifting');
  expect(new Set(names).size).toBe(names.length);
});

test('no one carries what is not there', async () => {
  const ben = await app.person();
  for (const [path, body] of [
    [`/api/admin/users/${ben.id}`, { policies: ['nothing'] }],
    [`/api/admin/users/${ben.id}`, { groups: ['0198c0de-0000-7000-8000-000000000007'] }],
  ] as const)
    expect(await app.admin.rest('PATCH', path, body)).toMatchObject({ status: 400 });
  expect(
    await app.admin.rest('POST', '/api/admin/groups', {
      name: 'Ghosts',
      members: ['0198c0de-0000-7000-8000-000000000007'],
    }),
  ).toMatchObject({ status: 400 });
  expect(
    (await app.admin.rest('GET', '/api/admin/groups')).body.items.map(
      (group: { name: string }) => group.name,
    ),
  ).not.toContain('Ghosts');
});

test('of a deletion and an attachment at once, one loses: no one is left with a policy that is gone', async () => {
  for (let round = 0; round < 3; round++) {
    await save('fleeting', allow(['work.*.read']));
    const ben = await app.person();
    await Promise.all([
      app.admin.rest('DELETE', '/api/admin/policies/fleeting'),
      app.admin.rest('PATCH', `/api/admin/users/${ben.id}`, { policies: ['fleeting'] }),
    ]);
    expect(
      await app.sql`select 1 from user_policies c where policy_name = 'fleeting' and not exists (select from policies where name = 'fleeting')`,
    ).toEqual([]);
    await app.sql`delete from user_policies where policy_name = 'fleeting'`;
    await app.sql`delete from policies where name = 'fleeting'`;
  }
});

test('a group’s members and a person’s groups are changed at once, and neither waits for the other in a circle', async () => {
  const ben = await app.person();
  const { group } = (await app.admin.rest('POST', '/api/admin/groups', { name: 'At once' })).body;
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => [
      app.admin.rest('PATCH', `/api/admin/groups/${group.id}`, { members: [ben.id] }),
      app.admin.rest('PATCH', `/api/admin/users/${ben.id}`, { groups: [group.id] }),
    ]).flat(),
  );
  expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200));
});

test('groups have one name each, and renaming does not take another’s', async () => {
  const one = (await app.admin.rest('POST', '/api/admin/groups', { name: 'Sales' })).body.group;
  expect((await app.admin.rest('POST', '/api/admin/groups', { name: 'SALES ' })).status).toBe(409);
  const two = (await app.admin.rest('POST', '/api/admin/groups', { name: 'Support' })).body.group;
  expect((await app.admin.rest('PATCH', `/api/admin/groups/${two.id}`, { name: 'sales' })).status).toBe(409);
  expect(
    (
      await app.admin.rest('PATCH', `/api/admin/groups/${one.id}`, {
        name: 'SALES',
        members: [app.admin.id],
      })
    ).body.group,
  ).toMatchObject({
    name: 'SALES',
    members: [{ id: app.admin.id, name: 'Ada Operator' }],
  });
});

test('explain answers with the decision and its statement for a person, a token, an expired one and a disabled user', async () => {
  const explain = async (principal: object, action: string, resource?: string) =>
    (
      await app.admin.rest('POST', '/api/admin/policies/explain', {
        principal,
        action,
        ...(resource && { resource }),
      })
    ).body;
  const other = await openTestApp();
  const ben = await app.person({ projects: ['OUT'] });
  const user = { kind: 'user', id: ben.id };
  expect(await explain(user, 'work.item.move', 'work:project/OUT')).toMatchObject({
    allowed: true,
    by: 'allow',
    policy: 'member',
    statement: { effect: 'allow' },
  });
  expect(await explain(user, 'work.item.move', 'work:project/OPS')).toMatchObject({ allowed: false });
  expect(await explain(user, 'admin.user.read')).toMatchObject({
    allowed: false,
    by: 'default',
    policy: null,
  });
  const token = await app.token();
  const bound = { kind: 'token', id: token.id };
  expect(await explain(bound, 'admin.user.invite')).toMatchObject({
    allowed: true,
    by: 'admin',
    sentence: expect.stringContaining('wire'),
  });
  expect((await explain(bound, 'admin.token.mint')).sentence).toContain('every token is refused');
  await app.admin.rest('POST', `/api/admin/users/${ben.id}/disable`, {});
  expect(await explain(user, 'work.item.move', 'work:project/OUT')).toMatchObject({
    allowed: false,
    sentence: expect.stringContaining('disabled'),
  });
  expect((await explain(user, 'work.item.jump')).error.code).toBe('invalid');
  expect((await explain({ kind: 'token', id: ben.id }, 'work.item.move')).error.code).toBe('not_found');
  const expiring = await other.token({ expires_in: 1 });
  const reader = await other.token({ mode: 'service', policies: ['auditor'] });
  other.clock.advance(DAY_MS);
  const expired = await reader.rest('POST', '/api/admin/policies/explain', {
    principal: { kind: 'token', id: expiring.id },
    action: 'work.item.move',
  });
  expect(expired.body).toMatchObject({
    allowed: false,
    by: 'admin',
    sentence: expect.stringContaining('expired'),
  });
  await other.close();
});
