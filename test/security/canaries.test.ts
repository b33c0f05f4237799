// A secret of its own in every field that takes one, and in every place where the product draws one; then none of them, in any
// form, in a table, a line of the log, a number, an audit row, a refusal, or an answer to anything that can be read.
import { generateSync } from 'otplib';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { features } from '../../src/features.ts';
import { CAPABILITIES, EVENT, agreeToAll, callAsAgent, connectedServer } from '../support/capabilities.ts';
import { emit, pass } from '../events/outbox.ts';
import { stream } from '../support/chat.ts';
import type { Answer, PersonClient, RestClient } from '../support/app.ts';
import { MODEL_KEY, modelStub, type ModelStub } from '../support/model.ts';
import { resendStub, type ResendStub } from '../support/resend.ts';
import { IDENTITIES, MAIL_HOST, openSenders, type Senders } from '../support/senders.ts';
import { openToolServer, type ToolServer } from '../support/tool-server.ts';
import { KEY } from '../support/vendor.ts';
import { everyTable, found, formsOf } from './secrets.ts';

const WEBHOOK = '/api/admin/events/webhook';
const MAIL = '/api/admin/settings/mail';
const VENDOR_HOOK = '/api/admin/outreach/vendor/webhook';

let t: Senders;
let vendor: ResendStub;
let model: ModelStub;
let tools: ToolServer;
let logged = '';
let zed: PersonClient;
/** What was planted, by what it is. */
const secrets = new Map<string, string>();
/** Every answer that was given, save those whose whole point is to show a secret once. */
const places = new Map<string, string>();

const canary = (what: string): string => {
  const value = `Canary-${what.replaceAll(' ', '-')}-${Math.random().toString(36).slice(2, 12)}+/?`;
  secrets.set(what, value);
  return value;
};

/** Asks, and keeps the answer among the places that are searched. */
async function asked(who: RestClient, method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await who.rest(method, path, body);
  places.set(`${places.size} ${method} ${path}`, whole(answer));
  return answer;
}
const whole = ({ body, headers }: Answer): string => JSON.stringify([body, [...headers]]);

async function done(who: RestClient, method: string, path: string, body?: unknown): Promise<any> {
  const answer = await asked(who, method, path, body);
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
}

/** An answer that shows a secret once, and is for no one's eyes but the asker's. */
async function shown(who: RestClient, method: string, path: string, body: unknown = {}): Promise<any> {
  const answer = await who.rest(method, path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  expect(answer.headers.get('cache-control')).toContain('no-store');
  return answer.body;
}

const keep = (what: string, value: string): string => {
  expect(value?.length, what).toBeGreaterThan(7);
  secrets.set(what, value);
  return value;
};

beforeAll(async () => {
  t = await openSenders({
    baseUrl: 'https://desk.example',
    log: pino({ level: 'trace' }, { write: (line: string) => void (logged += line) }),
  });
  vendor = await resendStub(() => t.app.clock.now());
  model = await modelStub();
  tools = await openToolServer();
  tools.tools = [EVENT];
  // While the instance has no mail of its own, whose link no one here would see.
  zed = await t.app.person({ name: 'Zed' });
});
afterAll(async () => {
  await t?.close();
  await vendor?.[Symbol.asyncDispose]();
  await model?.[Symbol.asyncDispose]();
  await tools?.close();
});

/** Each route that takes a secret, with what it must carry beside it, good and bad. */
const stepUp = () => t.app.admin.rest('POST', '/api/auth/step-up', { password: t.app.admin.password });

describe('secrets are planted', () => {
  test('in providers, and the vendor’s webhook', async () => {
    const { admin } = t.app;
    for (const [provider, key, base_url] of [
      ['resend', KEY, vendor.url],
      ['openai_compatible', MODEL_KEY, model.url],
      ['anthropic', canary('a key of a model').replace(/[+?]/g, ''), model.url],
    ] as const) {
      keep(`the key of ${provider}`, key);
      await done(admin, 'PUT', `/api/admin/providers/${provider}/keys`, { keys: { api_key: key }, base_url });
      await asked(admin, 'POST', `/api/admin/providers/${provider}/keys/test`, {});
    }
    // The next one exists, and no key of four or more characters of it is shown.
    await done(admin, 'POST', VENDOR_HOOK, { provider: 'resend' });
    await done(admin, 'POST', `${VENDOR_HOOK}/rotate`, { provider: 'resend' });
    const drawn = vendor.webhooks.flatMap((each) => each.secrets);
    expect(drawn.length).toBeGreaterThan(1);
    drawn.forEach((secret, i) => keep(`secret ${i} of the vendor’s webhook`, secret.replace('whsec_', '')));
  });

  test('in identities, their mailboxes and their keys', async () => {
    const { admin } = t.app;
    const domain = await t.active();
    const transport = t.smtp({ secret: canary('the password of a transport') });
    const imap = { kind: 'imap', host: MAIL_HOST, port: 993, security: 'tls', user: 'ann' };
    const { identity } = await done(admin, 'POST', IDENTITIES, {
      name: 'Ann',
      address: `ann@${domain.name}`,
      transport,
      inbound: { ...imap, secret: canary('the password of a mailbox') },
    });
    // Both are said to be wrong, by a server and by no one there.
    await asked(admin, 'POST', `${IDENTITIES}/${identity.id}/test`, {});
    await asked(admin, 'PATCH', `${IDENTITIES}/${identity.id}`, {
      revision: 1,
      transport: t.smtp({ secret: canary('the password of a second transport'), port: 99_999 }),
    });
    secrets.set('a private key', 'BEGIN PRIVATE KEY');
  });

  test('in events, mail of the instance, and another party’s tool server', async () => {
    const { app } = t;
    await done(app.admin, 'PUT', WEBHOOK, {
      url: 'https://hooks.example.com/in',
      secret: canary('the secret of events'),
    });
    const { secret } = await shown(app.admin, 'POST', '/api/admin/events/secret/rotate');
    keep('the rotated secret of events', secret);
    const way = { host: MAIL_HOST, port: t.sink.port, security: 'starttls', user: 'desk' };
    const from = { from_name: 'The desk', from_address: 'desk@mail.example' };
    const password = canary('the password of the instance’s mail');
    await done(app.admin, 'PUT', MAIL, { ...way, ...from, password });
    await asked(app.admin, 'POST', `${MAIL}/test`, {});
    await app.instance.jobs.run('instance_mail');
    await done(app.admin, 'POST', CAPABILITIES, {
      name: 'closed',
      url: tools.url,
      auth: 'oauth',
      client_id: 'desk',
      client_secret: canary('the secret of a client'),
    });
    const id = await connectedServer(app, tools);
    await agreeToAll(app, id);
    await callAsAgent(app, app.admin);
    const bearers = [...tools.bearers].filter((each) => each.startsWith('Bearer at-'));
    expect(bearers.length).toBeGreaterThan(0);
    bearers.forEach((each, i) => keep(`token ${i} of a tool server`, each.slice('Bearer '.length)));
  });

  test('in people: passwords, codes, links, sessions and tokens', async () => {
    const { app } = t;
    const password = canary('a password');
    await done(zed, 'POST', '/api/me/password', { current: zed.password, password });
    await asked(zed, 'POST', '/api/me/password', {
      current: canary('a wrong password'),
      password: canary('a password that was refused'),
    });
    const nobody = app.bearer(null);
    await asked(nobody, 'POST', '/api/auth/login', {
      email: zed.email,
      password: canary('a guess'),
      code: '012345',
    });
    const { cookie } = await app.signIn(zed.email, password);
    keep('the secret of a session', String(cookie).split('=')[1] ?? '');
    keep('the secret of an administrator’s session', app.admin.cookie.split('=')[1] ?? '');
    const totp = keep('the secret of an authenticator', (await shown(zed, 'POST', '/api/me/totp')).secret);
    const code = generateSync({ secret: totp, epoch: Math.floor(app.clock.now().getTime() / 1000) });
    await done(zed, 'POST', '/api/me/totp', { code });
    const { codes } = await shown(zed, 'POST', '/api/me/recovery-codes');
    codes.forEach((each: string, i: number) => keep(`recovery code ${i}`, each));
    keep('the same without its hyphens', codes[0].replaceAll('-', ''));
    const token = await app.token({ name: 'carrier', scopes: { wire: true, scripts: true } });
    keep('a token', token.value);
    keep('the body of a token', token.value.slice(4, 40));
    await app.admin.rest('DELETE', MAIL);
    const { link } = await shown(app.admin, 'POST', '/api/admin/users/invite', {
      email: 'new@example.com',
    });
    keep('an invitation', String(link).split('/').at(-1) ?? '');
    keep('the set-up key', app.key);
    keep('the password of everybody else', app.admin.password);
  });

  test('in what an agent proposes, and in calls that are refused', async () => {
    const { app } = t;
    const proposed = canary('a key that an agent proposes').replace(/[?]/g, '');
    secrets.set('a key that an agent proposes', proposed);
    const args = { provider: 'anthropic', keys: { api_key: proposed }, base_url: model.url };
    model.next.push(
      { calls: [{ name: 'call_operation', input: { operation: 'provider_keys_save', arguments: args } }] },
      { text: 'I proposed it.' },
    );
    const { changes } = await stream(app, app.admin, { message: 'Save the key' });
    places.set('the stream of a turn', JSON.stringify(changes));
    const bare = await app.token();
    const bad = canary('a secret in a body that is refused');
    for (const who of [app.admin, bare, app.bearer(null)] as RestClient[])
      for (const [method, path, body] of [
        ['PUT', WEBHOOK, { url: 'https://127.0.0.1/', secret: bad }],
        ['PUT', WEBHOOK, { url: `https://u:${bad}@hooks.example.com/`, secret: `${bad} ${bad}` }],
        ['PUT', WEBHOOK, `{"secret": "${bad}`],
        ['PUT', '/api/admin/providers/resend/keys', { keys: { api_key: `${bad} x`, [bad]: bad } }],
        ['POST', IDENTITIES, { name: 'X', address: 'x', transport: { kind: 'smtp', secret: bad, x: 1 } }],
        ['PUT', MAIL, { host: MAIL_HOST, password: bad }],
        ['POST', '/api/me/password', { current: bad, password: 'short' }],
        ['POST', '/api/me/totp', { code: bad }],
        ['POST', '/api/auth/login', { email: 'nobody@example.com', password: bad, code: bad }],
        ['POST', '/api/auth/setup', { key: bad, name: 'Eve', email: 'e@example.com', password: bad }],
        ['POST', '/api/auth/accept-invite', { token: bad, name: 'Eve', password: bad }],
        ['POST', '/api/auth/reset', { token: bad, password: bad }],
        ['POST', CAPABILITIES, { name: 'x', url: tools.url, auth: 'none', client_secret: bad }],
        ['GET', '/api/me', undefined],
      ] as const) {
        const answer = await who.rest(method, path, body);
        // A field that no one knows is named by its own name, to whoever sent it and to no one else.
        const said = whole(answer).replaceAll(`keys.${bad}`, '');
        places.set(`${places.size} refused ${method} ${path}`, said);
      }
    await app.bearer(`nck_${bad}`).rest('GET', `/api/me?token=${encodeURIComponent(bad)}`);
    await app.bearer(null).rest('GET', '/api/me', undefined, { cookie: `session=${bad}`, 'x-api-key': bad });
    await bare.tool('api_request', { method: 'PUT', path: WEBHOOK, body: { secret: bad } });
    await bare.rpc('tools/call', { name: 'webhook_register', arguments: { secret: bad } });
  });
});

describe('and are nowhere', () => {
  test('the search finds a text that is there, in each of its forms', async () => {
    const decoy = 'Decoy-of-the-search+/?';
    await done(t.app.admin, 'POST', '/api/work/projects', { key: 'DEC', name: decoy });
    for (const before of ['', 'a', 'ab'])
      await done(t.app.admin, 'POST', '/api/work/items', {
        project: 'DEC',
        title: Buffer.from(`${before}${decoy}!`).toString('base64'),
        description: Buffer.from(decoy).toString('hex'),
      });
    const where = found(new Map([['decoy', decoy]]), await everyTable(t.app)).join('\n');
    const forms = formsOf(decoy).filter((each) => each === decoy || !/[%_]|(?<!Decoy.*)-/.test(each));
    expect(forms.length).toBeGreaterThan(4);
    for (const form of forms) expect(where, form).toContain(` as ${form}`);
  });

  test('in no table', async () => {
    const tables = await everyTable(t.app);
    expect(tables.size).toBeGreaterThan(60);
    expect(tables.get('public.users')).toContain('ada@example.com');
    expect(found(secrets, tables)).toEqual([]);
    for (const [name, text] of tables)
      expect(text.match(/\b(?:at|rt|code)-[0-9a-f]{8}-[0-9a-f-]{27}/), name).toBeNull();
  });

  test('in no answer to anything that can be read', async () => {
    const { app } = t;
    await stepUp();
    const ids = await idsOf(app.admin);
    const tried: string[] = [];
    for (const { operation } of features.flatMap(({ operations }) => operations)) {
      if (operation.effect !== 'read' || 'stream' in operation.answers) continue;
      const { path, rest } = at(operation, ids);
      const answer = await asked(app.admin, operation.method, path, rest);
      expect(answer.status, path).toBeLessThan(500);
      if (answer.status === 200) tried.push(operation.name);
    }
    for (const name of [
      'provider_list',
      'identity_read',
      'events_webhook_get',
      'capability_list',
      'user_get',
    ])
      expect(tried).toContain(name);
    expect(tried).toEqual(
      expect.arrayContaining(['audit_list', 'settings_mail_get', 'token_list', 'me_get']),
    );
    for (const path of ['/metrics', '/openapi.json', '/api/openapi.json', '/health'])
      await asked(app.admin, 'GET', path);
    const token = await app.token();
    for (const path of [
      '/api/admin/audit',
      '/api/admin/providers',
      IDENTITIES,
      CAPABILITIES,
      '/api/settings',
    ])
      places.set(
        `by admin_request ${path}`,
        (await token.tool('admin_request', { method: 'GET', path })).text,
      );
    expect(found(secrets, places)).toEqual([]);
  });

  test('in no line of the log', async () => {
    const { app } = t;
    await app.sql`update events_webhook set secret = ${`v1.${Buffer.from(secrets.get('the secret of events') ?? '').toString('base64url')}`}`;
    await emit(app);
    await pass(app);
    expect(logged, 'what cannot be opened is said').toContain('does not open');
    expect(found(secrets, new Map([['the log', logged]]))).toEqual([]);
  });
});

/** What is there, by the word that vouches for it in paths. */
async function idsOf(admin: PersonClient): Promise<Record<string, string>> {
  const first = async (path: string): Promise<string | undefined> =>
    (await admin.rest('GET', path)).body.items?.[0]?.id;
  const ids: Record<string, string | undefined> = {
    identity: await first(IDENTITIES),
    domain: await first('/api/admin/outreach/domains'),
    capability: await first(CAPABILITIES),
    approval: await first('/api/approvals'),
    thread: await first('/api/threads'),
    item_id: await first('/api/work/items'),
    project: 'DEC',
    user: admin.id,
  };
  return Object.fromEntries(Object.entries(ids).filter((each): each is [string, string] => !!each[1]));
}

type AnyOperation = (typeof features)[number]['operations'][number]['operation'];

function at(op: AnyOperation, ids: Record<string, string>): { path: string; rest?: unknown } {
  const rest: Record<string, unknown> = { ...(op.example as Record<string, unknown>) };
  const path = op.path.replace(/:([a-z_]+)/gi, (_, key: string) => {
    const value = ids[key] ?? String(rest[key]);
    delete rest[key];
    return encodeURIComponent(value);
  });
  if (op.method !== 'GET') return { path, rest };
  const query = new URLSearchParams(Object.entries(rest).map(([key, value]) => [key, String(value)]));
  return { path: query.size > 0 ? `${path}?${query}` : path };
}
