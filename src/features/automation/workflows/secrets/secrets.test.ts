// Credentials of http steps: saved by name and sealed, sent to their host alone, and shown to no one; and the addresses that such
// a step may reach.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../../test/support/app.ts';
import { receiver, type Receiver } from '../../../../../test/support/receiver.ts';
import { activeBy, ran, savedBy, step } from '../../../../../test/support/workflows.ts';
import { withoutValues } from './secrets.rules.ts';

const VALUE = 'sk-live-0123456789abcdef';
let app: TestApp;
let hook: Receiver;
/** What the host answers; null: what it was sent. */
let said: string | null = null;

beforeAll(async () => {
  app = await openTestApp({ allowHosts: '127.0.0.1' });
  hook = await receiver((response, request) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(said ?? JSON.stringify({ echo: request.headers.authorization ?? null }));
  });
  await list(['127.0.0.1']);
});
afterAll(async () => {
  await app.close();
  await hook[Symbol.asyncDispose]();
});

const list = async (hosts: string[]) => {
  const answer = await app.admin.rest('PUT', '/api/admin/workflows/hosts', { hosts });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.hosts as string[];
};
const secret = (name: string, host = `127.0.0.1:${hook.port}`) =>
  app.admin.rest('PUT', `/api/admin/workflows/secrets/${name}`, { host, secret: VALUE });
const call = (headers: Record<string, string>, path = '/in') =>
  step('call', 'http', { url: `http://127.0.0.1:${hook.port}${path}`, headers });
const refusalOf = async (headers: Record<string, string>) => {
  const body = { name: 'Calls', trigger: { kind: 'manual' }, steps: [call(headers)] };
  const answer = await app.admin.rest('POST', '/api/workflows', body);
  return answer.status === 400 ? (answer.body.error.message as string) : answer.status;
};

test('hole G1: a header that carries a credential names a saved secret, and no literal is saved', async () => {
  for (const header of [
    'Authorization',
    'X-Api-Key',
    'X-Auth-Token',
    'X-Hub-Signature',
    'apikey',
    'Ocp-Apim-Subscription-Key',
    'X-Key',
    'X-Webhook-Key',
  ])
    for (const value of [VALUE, `Bearer ${VALUE}`, '{{ trigger.token }}', `{{ secrets.a }} ${VALUE}`])
      expect(await refusalOf({ [header]: value }), `${header}: ${value}`).toContain(
        `call: ${header} is a credential: an administrator saves it in Settings → Workflows, and the header names it, such as Bearer {{ secrets.crm_hook }}`,
      );
  expect(await refusalOf({ Authorization: 'Bearer {{ secrets.crm_hook }}', 'X-Note': 'plain' })).toBe(201);
  expect(await refusalOf({ 'Idempotency-Key': 'day-{{ trigger.day }}' })).toBe(201);
  const inUrl = await app.admin.rest('POST', '/api/workflows', {
    name: 'Calls',
    trigger: { kind: 'manual' },
    steps: [step('call', 'http', { url: 'https://me:pw@hooks.example.com/in' })],
  });
  expect(inUrl.body.error.message).toMatch(/leave user and password out of the url/);
});

test('hole G1: a secret is saved in a session, sealed, listed without its value, and sent to its host alone', async () => {
  const token = await app.token({ scopes: { wire: true, scripts: true } });
  const path = '/api/admin/workflows/secrets/crm_hook';
  const refused = await token.rest('PUT', path, { host: `127.0.0.1:${hook.port}`, secret: VALUE });
  expect(refused.body.error.code).toBe('session_only');
  const saved = await secret('crm_hook');
  expect(saved.body.secrets).toMatchObject([{ name: 'crm_hook', host: `127.0.0.1:${hook.port}` }]);
  expect(JSON.stringify(saved.body)).not.toContain(VALUE);
  const workflow = await activeBy(app.admin, [
    call({ Authorization: 'Bearer {{ secrets.crm_hook }}', 'X-Note': '{{ trigger.note }}' }),
  ]);
  const run = await ran(app, app.admin, workflow, { note: '{{ secrets.crm_hook }}' });
  expect(run.state, run.error ?? '').toBe('succeeded');
  const headers = hook.arrived.at(-1)?.headers ?? {};
  expect(headers['authorization']).toBe(`Bearer ${VALUE}`);
  // What someone else's text names is no secret.
  expect(headers['x-note']).toBe('{{ secrets.crm_hook }}');
  const shown = await Promise.all(
    [
      `/api/workflows/${workflow}`,
      `/api/workflows/runs/${run.id}`,
      `/api/workflows/runs/${run.id}/steps/1`,
    ].map(async (at) => JSON.stringify((await app.admin.rest('GET', at)).body)),
  );
  for (const text of shown) expect(text).not.toContain(VALUE);
  // The other side echoed it; it is saved without.
  expect(shown[2]).toContain('Bearer (not shown)');
  const rows = await app.sql`select value from workflow_secrets`;
  expect(JSON.stringify(rows)).not.toContain(VALUE);
});

test('hole G1: a secret goes to the port it was saved for, and over https alone where no one opened the host', async () => {
  await list(['127.0.0.1', 'hooks.example.com']);
  const failure = async (url: string): Promise<string> => {
    const asks = step('call', 'http', { url, headers: { Authorization: '{{ secrets.placed }}' } });
    const run = await ran(app, app.admin, await activeBy(app.admin, [asks]));
    expect(run.state).toBe('failed');
    return run.error ?? '';
  };
  expect((await secret('placed', '127.0.0.1:1')).status).toBe(200);
  expect(await failure(`http://127.0.0.1:${hook.port}/in`)).toMatch(
    /^no secret placed is saved for 127\.0\.0\.1:/,
  );
  expect((await secret('placed', 'hooks.example.com')).status).toBe(200);
  expect(await failure('https://hooks.example.com:8443/in')).toMatch(
    /^no secret placed is saved for hooks\.example\.com:8443:/,
  );
  expect((await secret('placed', 'hooks.example.com:80')).status).toBe(200);
  expect(await failure('http://hooks.example.com/in')).toMatch(/^the secret placed goes only over https/);
});

test('hole G1: a secret that comes back in any way of writing JSON is saved without it', async () => {
  const value = 'sk/live"0123\\456';
  const path = '/api/admin/workflows/secrets/odd';
  const short = await app.admin.rest('PUT', path, { host: '127.0.0.1', secret: 'seven77' });
  expect([short.status, short.body.error.message]).toEqual([
    400,
    expect.stringContaining('a secret is at least 8 characters'),
  ]);
  expect((await app.admin.rest('PUT', path, { host: `127.0.0.1:${hook.port}`, secret: value })).status).toBe(
    200,
  );
  const quoted = JSON.stringify(value);
  const spelled = `"\\u0073k\\/live${quoted.slice(8)}`;
  expect(JSON.parse(spelled)).toBe(value);
  const workflow = await activeBy(app.admin, [call({ Authorization: '{{ secrets.odd }}' })]);
  for (const answer of [
    `{"echo":[${spelled}],${spelled}:1}`,
    JSON.stringify({ data: `{"echo":${quoted.replaceAll('/', '\\/')}}` }),
    `{"echo":${quoted}}\n{"echo":${quoted}}`,
    `echo: ${value}`,
  ]) {
    said = answer;
    const run = await ran(app, app.admin, workflow);
    expect(run.state, run.error ?? '').toBe('succeeded');
    const [row] = await app.sql<{ output: unknown }[]>`
      select output from workflow_run_steps where run_id = ${run.id}`;
    const kept = JSON.stringify(row?.output);
    expect(kept, answer).toContain('(not shown)');
    expect(kept, answer).not.toContain('0123');
  }
  said = null;
});

test('hole G1: a secret of digits that comes back as a number is saved without it', () => {
  const value = '12345678901234567890';
  expect(withoutValues(`{"a":${value},"b":[12,"x${value}"]}`, [value])).toEqual({
    a: '(not shown)',
    b: [12, 'x(not shown)'],
  });
});

test('hole G1: a secret of another host, or one that is gone, is not sent', async () => {
  await secret('elsewhere', 'hooks.example.com');
  const before = hook.arrived.length;
  const workflow = await activeBy(app.admin, [call({ Authorization: '{{ secrets.elsewhere }}' })]);
  expect((await ran(app, app.admin, workflow)).error).toBe(
    `no secret elsewhere is saved for 127.0.0.1:${hook.port}: an administrator saves it in Settings → Workflows, then retry this run`,
  );
  await secret('gone');
  expect((await app.admin.rest('DELETE', '/api/admin/workflows/secrets/gone')).status).toBe(200);
  const other = await activeBy(app.admin, [call({ Authorization: '{{ secrets.gone }}' })]);
  expect((await ran(app, app.admin, other)).state).toBe('failed');
  expect(hook.arrived).toHaveLength(before);
});

test('hole G1: a definition that was saved before hides its credential, and is activated only without it', async () => {
  const { id, revision } = await savedBy(app.admin, [call({ 'X-Note': 'plain' })]);
  const active = await app.admin.rest('POST', `/api/workflows/${id}/activate`, { revision });
  const old = JSON.stringify(
    [call({ Authorization: `Bearer ${VALUE}` })].map((each) => ({ ...each, next: null, on_error: null })),
  );
  await app.sql`update workflows set steps = ${old}::text::jsonb where id = ${id}`;
  await app.sql`update workflow_versions set steps = ${old}::text::jsonb where workflow_id = ${id}`;
  const renamed = await app.admin.rest('PATCH', `/api/workflows/${id}`, {
    revision: active.body.workflow.revision,
    name: 'Named anew',
  });
  expect([renamed.status, renamed.body.workflow?.name]).toEqual([200, 'Named anew']);
  const member = await app.person();
  const run = await ran(app, app.admin, id);
  for (const path of [`${id}`, `${id}/versions`, `runs/${run.id}/steps/1`]) {
    const { status, body } = await member.rest('GET', `/api/workflows/${path}`);
    expect(status).toBe(200);
    expect(JSON.stringify(body), path).toContain('(not shown)');
    expect(JSON.stringify(body), path).not.toContain(VALUE);
  }
  const told = (await member.rest('GET', `/api/workflows/${id}`)).body.workflow.plain_credentials;
  expect(told).toEqual([{ step: 'call', header: 'Authorization' }]);
  const again = await app.admin.rest('POST', `/api/workflows/${id}/activate`, {
    revision: renamed.body.workflow.revision,
  });
  expect([again.status, again.body.error.message]).toEqual([
    400,
    expect.stringContaining('Authorization is a credential'),
  ]);
});

test('A low: the list of an http step’s hosts takes a port and a path, and nothing beside it is reached', async () => {
  expect(await list([`127.0.0.1:${hook.port}/in/`, 'Hooks.Example.com'])).toEqual([
    `127.0.0.1:${hook.port}/in`,
    'hooks.example.com',
  ]);
  const reaches = async (path: string) =>
    (await ran(app, app.admin, await activeBy(app.admin, [call({}, path)]))).state;
  for (const path of ['/in', '/in/a?b=c']) expect(await reaches(path), path).toBe('succeeded');
  for (const path of [
    '/',
    '/inner',
    '/other',
    '/in/../other',
    '/in/%2e%2e/other',
    '/in/..%2fother',
    '/in%2f..',
  ])
    expect(await reaches(path), path).toBe('failed');
  for (const bad of ['https://a.example', 'a.example/b?c', 'a.example/../b', 'a b', ''])
    expect((await app.admin.rest('PUT', '/api/admin/workflows/hosts', { hosts: [bad] })).status, bad).toBe(
      400,
    );
  await list([`127.0.0.1:1`]);
  expect(await reaches('/in')).toBe('failed');
});
