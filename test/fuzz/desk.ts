// An instance to be fuzzed, with an administrator, a token and one record of most kinds. Every answer is looked at: a fault or a
// broken connection is written down with the input that caused it.
import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import type { Ordered } from '../support/child.ts';
import { freshDatabase } from '../support/database.ts';

const ADMIN = { name: 'Ada Operator', email: 'ada@example.com', password: 'correct horse battery' };
/** A main thread that takes longer is held up. */
const ANSWERS_WITHIN_MS = 10_000;
const STEP_UP_EVERY_MS = 4 * 60_000;
/** Of an input that caused a fault. */
const SHOWN_CHARS = 600;
/** The entry point answers a longer body with 413 and closes the connection while it still arrives. */
const CUT_OFF_BYTES = 1_000_000;

export type Reply = { status: number; body: string };

export type Desk = AsyncDisposable & {
  url: string;
  child: ChildProcess;
  sql: postgres.Sql;
  token: string;
  /** Records that exist, by the name that paths have for them. */
  ids: Map<string, string>;
  /** Of a web form: where its posts go. */
  form_path: string;
  faults: string[];
  asked: number;
  /** Requests by their status. */
  statuses: Map<number, number>;
  send(
    method: string,
    path: string,
    body?: Buffer | string,
    headers?: Record<string, string>,
  ): Promise<Reply>;
  /** Milliseconds of processor time that its main thread was busy without a pause, at most, since this was asked before. */
  busiestMs(): Promise<number>;
  /** By the administrator's session; a new one where an input ended it. */
  asAdmin(method: string, path: string, body?: unknown): Promise<Reply>;
};

export async function openDesk(): Promise<Desk> {
  const database = await freshDatabase();
  const orders: Ordered = { database: database.options, masterKey: randomBytes(32).toString('hex') };
  const child = fork(join(import.meta.dirname, 'desk-child.ts'), [JSON.stringify(orders)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // As `npm start` has it.
    execArgv: [...process.execArgv, '--max-semi-space-size=8'],
  });
  const [{ url, key }] = (await once(child, 'message')) as [{ url: string; key: string }];
  const sql = postgres({ ...database.options, max: 2, onnotice: () => undefined });
  const session = sessionAt(url, key);
  const desk: Desk = {
    url,
    child,
    sql,
    token: '',
    ids: new Map(),
    form_path: '',
    faults: [],
    asked: 0,
    statuses: new Map(),
    async busiestMs() {
      const late = sleep(ANSWERS_WITHIN_MS, [{ busiest_ms: Infinity }], { ref: false });
      child.send('busiest');
      const [said] = (await Promise.race([once(child, 'message'), late])) as [{ busiest_ms: number }];
      return said.busiest_ms;
    },
    send: (method, path, body, headers) => send(desk, method, path, body, headers),
    async asAdmin(method, path, body) {
      const answer = await desk.send(
        method,
        path,
        body === undefined ? undefined : JSON.stringify(body),
        await session.headers(body !== undefined),
      );
      if (answer.status === 401) session.ended();
      return answer;
    },
    async [Symbol.asyncDispose]() {
      // One that an input holds up would not hear that it is to end.
      if (child.kill('SIGKILL')) await once(child, 'exit');
      await sql.end();
      await database.drop();
    },
  };
  try {
    await furnish(desk);
    return desk;
  } catch (error) {
    await desk[Symbol.asyncDispose]();
    throw error;
  }
}

function sessionAt(url: string, key: string) {
  let cookie = '';
  let steppedUpAt = 0;
  const post = async (path: string, body: object): Promise<void> => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url, ...(cookie && { cookie }) },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
    steppedUpAt = performance.now();
  };
  const { name, email, password } = ADMIN;
  let begun = post('/api/auth/setup', { key, name, email, password });
  return {
    async headers(json: boolean): Promise<Record<string, string>> {
      await begun;
      if (performance.now() - steppedUpAt > STEP_UP_EVERY_MS)
        await (begun = post('/api/auth/step-up', { password }));
      return { cookie, origin: url, ...(json && { 'content-type': 'application/json' }) };
    },
    ended(): void {
      cookie = '';
      begun = post('/api/auth/login', { email, password });
    },
  };
}

async function send(
  desk: Desk,
  method: string,
  path: string,
  body?: Buffer | string,
  headers: Record<string, string> = {},
): Promise<Reply> {
  desk.asked += 1;
  const fault = (what: string) =>
    desk.faults.push(`${what}: ${method} ${path} ${String(body ?? '').slice(0, SHOWN_CHARS)}`);
  try {
    const answer = await fetch(desk.url + path, {
      method,
      headers,
      redirect: 'manual',
      ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
      signal: AbortSignal.timeout(60_000),
    });
    const text = await answer.text();
    const { status } = answer;
    desk.statuses.set(status, (desk.statuses.get(status) ?? 0) + 1);
    if (status >= 500 && status !== 503) fault(`${status} ${text.slice(0, 300)}`);
    return { status, body: text };
  } catch (error) {
    if (Buffer.byteLength(body ?? '') < CUT_OFF_BYTES) fault(String(error));
    return { status: 0, body: '' };
  }
}

/** One record of most kinds, made through the entry points. */
async function furnish(desk: Desk): Promise<void> {
  const made = async (path: string, body: object): Promise<any> => {
    const answer = await desk.asAdmin('POST', path, body);
    if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}: ${answer.body}`);
    return JSON.parse(answer.body);
  };
  const keep = async (noun: string, path: string, body: object): Promise<any> => {
    const record = (await made(path, body))[noun];
    desk.ids.set(noun, record.id).set(`${noun}_id`, record.id);
    return record;
  };
  const O = '/api/admin/outreach';
  const C = '/api/admin/crm';
  desk.token = (
    await made('/api/admin/tokens', { name: 'fuzz', mode: 'user', scopes: { scripts: true } })
  ).value;
  await keep('project', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
  await keep('item', '/api/work/items', { project: 'OUT', title: 'A card' });
  await keep('company', `${C}/companies`, { name: 'Acme' });
  await keep('person', `${C}/people`, { name: 'Dana Roe', addresses: [{ value: 'dana@acme.example' }] });
  await keep('deal', `${C}/deals`, { name: 'Bridge' });
  await keep('campaign', `${O}/campaigns`, { name: 'Spring' });
  await keep('segment', `${C}/segments`, {
    name: 'All',
    filter: { all: [{ field: 'name', op: 'contains', value: 'a' }] },
  });
  await keep('template', `${O}/templates`, {
    name: 'Hello',
    subject: 'Hello',
    text: 'Hello {{ person.name }}',
  });
  const form = await keep('form', '/api/admin/forms', { name: 'Contact' });
  desk.form_path = new URL(form.url).pathname;
}
