// Tokens that are deleted while they work: three processes on one database, each asked without a pause by REST, by a tool and
// by a request tool. A call counts against the product if it began after the answer to the deletion came, and was let in.
import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Ordered } from '../support/child.ts';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';
import { openTestApp, type TestApp } from '../support/app.ts';

export type Revoked = {
  /** Calls that were let in before. */
  before: number;
  /** Calls that began before the deletion was answered, and were answered after it. */
  across: number;
  /** Refused calls that began after it. */
  refused: number;
  /** And those that were let in: there must be none. */
  accepted: string[];
};

/** Every worker is refused this often before it believes it. */
const REFUSALS = 4;

export async function revocations(rounds: number): Promise<Revoked> {
  const database = await freshDatabase();
  const masterKey = randomBytes(32);
  const app = await openTestApp({ database, masterKey });
  const children = [0, 1].map(() => start(database, masterKey));
  try {
    const others = await Promise.all(
      children.map(async (child) => (await once(child, 'message'))[0] as string),
    );
    const urls = [app.url, ...others];
    const made = await app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
    expect(made.status).toBe(201);
    const all: Revoked = { before: 0, across: 0, refused: 0, accepted: [] };
    for (let round = 0; round < rounds; round++) await revoke(app, urls, round, all);
    return all;
  } finally {
    for (const child of children) child.disconnect();
    await app.close();
    await database.drop();
  }
}

function start(database: FreshDatabase, masterKey: Buffer): ChildProcess {
  const orders: Ordered = { database: database.options, masterKey: masterKey.toString('hex') };
  return fork(join(import.meta.dirname, 'revocation-child.ts'), [JSON.stringify(orders)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

async function revoke(app: TestApp, urls: string[], round: number, all: Revoked): Promise<void> {
  await app.admin.rest('POST', '/api/auth/step-up', { password: app.admin.password });
  const token = await app.token({ scopes: { wire: true, scripts: true } });
  const headers = { authorization: `Bearer ${token.value}`, 'content-type': 'application/json' };
  let deletedAt = Infinity;
  let warm = 0;
  const work = async (url: string, source: CallSource): Promise<void> => {
    for (let refused = 0, first = true; refused < REFUSALS;) {
      const began = performance.now();
      const { path, body } = SOURCES[source];
      const answer = await fetch(url + path, { method: 'POST', headers, body });
      const let_in = answer.status < 300;
      await answer.text();
      if (let_in && first) warm += 1;
      first = false;
      if (began > deletedAt) {
        if (let_in) all.accepted.push(`round ${round}: ${source} at ${url}`);
        else refused += 1;
      } else if (performance.now() > deletedAt) all.across += 1;
      else if (let_in) all.before += 1;
      if (!let_in && began <= deletedAt) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    all.refused += REFUSALS;
  };
  const workers = urls.flatMap((url) =>
    (Object.keys(SOURCES) as CallSource[]).map((source) => work(url, source)),
  );
  await expect.poll(() => warm).toBe(workers.length);
  const at = urls[round % urls.length] ?? '';
  const answer = await fetch(`${at}/api/admin/tokens/${token.id}`, {
    method: 'DELETE',
    headers: { cookie: app.admin.cookie, origin: at },
  });
  deletedAt = performance.now();
  expect(answer.status, await answer.text()).toBeLessThan(300);
  await Promise.all(workers);
}

const call = (name: string, args: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
const ITEM = { project: 'OUT', title: 'Written by a token' };

const SOURCES = {
  rest: { path: '/api/work/items', body: JSON.stringify(ITEM) },
  tool: { path: '/mcp', body: call('work_create', ITEM) },
  request_tool: {
    path: '/mcp',
    body: call('api_request', { method: 'POST', path: '/api/work/items', body: ITEM }),
  },
};
type CallSource = keyof typeof SOURCES;
