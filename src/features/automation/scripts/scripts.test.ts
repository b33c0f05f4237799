// `run`: a Lua script against the instance, by the tool and by its route, as whoever runs it and never with more.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCRIPTS_REQUIRED, WIRE_REQUIRED } from '../../../kernel/sentences.ts';
import { openTestApp, type TestApp, type TokenClient } from '../../../../test/support/app.ts';

const ROUTE = '/api/admin/scripts/run';
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
  await app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
});
afterAll(async () => app?.close());

const scripted = (wire = false): Promise<TokenClient> => app.token({ scopes: { scripts: true, wire } });

describe('who may run one', () => {
  test('a token without the scope is refused with the sentence on every route, before what it sent is read', async () => {
    const token = await app.token({ scopes: { wire: true } });
    const rest = await token.rest('POST', ROUTE, '{not json');
    expect([rest.status, rest.body.error]).toMatchObject([
      403,
      { code: 'scripts_required', message: SCRIPTS_REQUIRED },
    ]);
    expect(await token.tool('run', {})).toMatchObject({ isError: true, text: SCRIPTS_REQUIRED });
    for (const tool of ['api_request', 'admin_request'])
      expect(
        (await token.tool(tool, { method: 'POST', path: ROUTE, body: { script: 'return 1' } })).text,
      ).toBe(`HTTP 403: ${SCRIPTS_REQUIRED}`);
  });

  test('a token with the scope, by every route; a service token by its policies alone', async () => {
    const token = await scripted();
    expect((await token.tool('run', { script: 'return args.n * 2', args: { n: 21 } })).json).toMatchObject({
      result: 42,
    });
    for (const tool of ['api_request', 'admin_request'])
      expect(
        (await token.tool(tool, { method: 'POST', path: ROUTE, body: { script: 'return 1' } })).text,
      ).toContain('"result":1');
    const service = await app.token({ mode: 'service', scopes: { scripts: true } });
    expect((await service.tool('run', { script: 'return 1' })).text).toContain('no policy lets');
  });

  test('a person in a session runs one by policy, and nothing in it that cannot be undone', async () => {
    expect(
      (await app.admin.rest('POST', ROUTE, { script: 'return dunnock.me_get().user.name' })).body.result,
    ).toBe('Ada Operator');
    const member = await app.person();
    expect((await member.rest('POST', ROUTE, { script: 'return 1' })).status).toBe(403);
    const wire = await app.admin.rest('POST', ROUTE, {
      script: 'return { dunnock.try("user_invite", { email = "guest@example.com" }) }',
    });
    expect(wire.body).toMatchObject({ state: 'finished', result: { 3: 'people_only' } });
  });

  test('arguments are one level deep', async () => {
    const answer = await app.admin.rest('POST', ROUTE, { script: 'return 1', args: { a: { b: 1 } } });
    expect(answer.status).toBe(400);
  });
});

describe('what it does is done as an agent', () => {
  test('a script of a bound token parks what it moves to done, and its token is an agent from then on', async () => {
    const token = await scripted();
    const answer = await token.rest('POST', ROUTE, {
      script: `local item = dunnock.item_create({ project = 'OUT', title = 'From a script' }).item
               local moved = dunnock.item_move({ item_id = item.id, status = 'done' })
               return { moved.item.status, moved.approval_id, moved.approval_id ~= nil and
                 { dunnock.try('approval_decide', { approval = moved.approval_id, decision = 'approved', revision = 1 }) } }`,
    });
    expect(answer.body, JSON.stringify(answer.body)).toMatchObject({ state: 'finished', calls: 3 });
    expect(answer.body.result[0]).toBe('in_review');
    expect(answer.body.result[2][3]).toBe('agent_turn');
    const [row] = await app.sql`select first_agent_turn_at from tokens where id = ${token.id}`;
    expect(row?.['first_agent_turn_at']).not.toBeNull();
    const audit = await app.admin.rest('GET', '/api/admin/audit?act=item_create&limit=1');
    expect(audit.body.items[0]).toMatchObject({
      surface: 'lua',
      turn: 'agent',
      principal: { kind: 'agent', name: token.name },
    });
  });

  test('scripts never implies wire', async () => {
    const token = await scripted();
    const answer = await token.tool('run', {
      script: 'return { dunnock.try("user_invite", { email = "guest@example.com" }) }',
    });
    expect(answer.json.result).toEqual({ 2: WIRE_REQUIRED, 3: 'wire_required' });
  });

  test('a token that is deleted while its script runs does nothing any more from the next call on', async () => {
    const token = await scripted(true);
    const running = token.tool('run', {
      script: `for i = 1, 190 do
                 local got, why, code = dunnock.try('person_list', { limit = 1 })
                 if code then return { i, code } end
                 local till = 0 for n = 1, 3e6 do till = till + n end
               end return 'never noticed'`,
    });
    await app.sql`select pg_sleep(0.5)`;
    await app.admin.rest('DELETE', `/api/admin/tokens/${token.id}`);
    const answer = await running;
    expect(answer.json?.result?.[1], answer.text).toBe('unauthorized');
  });

  test('it starts no other script, reads no stream, and names of operations are all it knows', async () => {
    const token = await scripted();
    const answer = await token.tool('run', {
      script: `local function why(name, given) local _, _, code = dunnock.try(name, given) return code end
               return { why('script_run', { script = 'return 1' }), why('events_live'), why('constructor'), why('__proto__'), why('/mcp') }`,
    });
    expect(answer.json.result).toEqual(['invalid', 'invalid', 'not_found', 'not_found', 'not_found']);
  });

  test('an empty table is a list where the operation takes one', async () => {
    const token = await scripted();
    const answer = await token.tool('run', {
      script: `return dunnock.item_create({ project = 'OUT', title = 'Without labels', labels = {} }).item.labels`,
    });
    expect(answer.json, answer.text).toMatchObject({ state: 'finished' });
  });

  test('sent again under its Idempotency-Key it does nothing twice', async () => {
    const token = await scripted();
    const script = `return dunnock.item_create({ project = 'OUT', title = 'Once' }).item.id`;
    const send = () => token.rest('POST', ROUTE, { script }, { 'idempotency-key': 'one-script' });
    const [first, second] = [await send(), await send()];
    expect(first.body.result).toMatch(/^[0-9a-f-]{36}$/);
    expect(second.body.result).toBe(first.body.result);
    const [made] = await app.sql`select count(*) as n from work_items where title = 'Once'`;
    expect(made?.['n']).toBe(1);
  });
});

describe('limits', () => {
  test('six scripts a minute for one token', async () => {
    const token = await scripted();
    for (let i = 0; i < 6; i++)
      expect((await token.rest('POST', ROUTE, { script: 'return 1' })).status).toBe(200);
    const refused = await token.rest('POST', ROUTE, { script: 'return 1' });
    expect(refused).toMatchObject({
      status: 429,
      body: { error: { code: 'rate_limited', details: { retry_after: expect.any(Number) } } },
    });
    expect((await (await scripted()).rest('POST', ROUTE, { script: 'return 1' })).status).toBe(200);
  });

  test('an endless script is stopped with a sentence within the time of a request tool, and the instance answers meanwhile', async () => {
    const token = await scripted();
    const endless = token.tool('api_request', {
      method: 'POST',
      path: ROUTE,
      body: { script: 'while true do end' },
    });
    expect((await app.admin.rest('GET', '/api/me')).status).toBe(200);
    const answer = await endless;
    expect(answer.isError).toBe(false);
    expect(answer.text).toContain('the script computed for 10 seconds and was stopped');
  });

  test('what it returns is bounded', async () => {
    const token = await scripted();
    const answer = await token.rest('POST', ROUTE, { script: 'return ("x"):rep(300000)' });
    expect(answer.body).toMatchObject({
      state: 'failed',
      result: null,
      error: expect.stringContaining('300002 characters'),
    });
  });
});

test('the operations that a script may call are listed with their arguments, and those closed to it are not', async () => {
  const { body } = await app.admin.rest('GET', '/api/admin/scripts/operations?query=person_list');
  const one = body.items.find(({ name }: { name: string }) => name === 'person_list');
  expect(one).toMatchObject({ effect: 'read', wire: false });
  expect(one.arguments).toContainEqual({ name: 'limit', type: 'integer', required: false });
  const names = new Set<string>();
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await app.admin.rest(
      'GET',
      `/api/admin/scripts/operations?limit=200${cursor ? `&cursor=${cursor}` : ''}`,
    );
    for (const { name } of page.body.items) names.add(name);
    cursor = page.body.next_cursor;
  }
  expect(names.has('campaign_enrol')).toBe(true);
  for (const closed of ['script_run', 'chat_turn', 'token_mint', 'events_live'])
    expect(names.has(closed), closed).toBe(false);
});
