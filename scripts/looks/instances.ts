// Instances to look at, each a process of its own on a data folder that goes with it: the demo, and one in which nothing is yet.
import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

const ROOT = join(import.meta.dirname, '../..');
const KEY = 'the-key-of-an-empty-instance';
const ADA = { name: 'Ada Operator', email: 'ada@demo.example', password: 'a demo of rope and sail' };

export type Client = {
  cookie: string;
  rest<T>(method: string, path: string, body?: unknown): Promise<T>;
};
type Running = { url: string; close(): Promise<void> };
export type Looked = Running & { admin: Client };

/** As someone whose session this is; an answer that is no success is thrown. */
function clientOf(url: string, cookie: string): Client {
  return {
    cookie,
    async rest<T>(method: string, path: string, body?: unknown): Promise<T> {
      const answer = await fetch(url + path, {
        method,
        headers: { cookie, origin: url, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
      return (await answer.json()) as T;
    },
  };
}

async function cookieFrom(url: string, path: string, body: unknown): Promise<Client> {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return clientOf(url, (answer.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '');
}

/** Runs it until it says where it listens. */
async function started(file: string, env: NodeJS.ProcessEnv, url: (words: string) => string | undefined) {
  const child = spawn(process.execPath, [join(ROOT, file)], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // Whatever ends this ends what it started.
  process.once('exit', () => child.kill('SIGTERM'));
  let words = '';
  const at = await new Promise<string>((found, failed) => {
    child.stdout.on('data', (some: Buffer) => {
      words += some.toString();
      const it = url(words);
      if (it) found(it);
    });
    child.once('exit', () => failed(new Error(`${file} ended before it listened: ${words}`)));
  });
  return { child, url: at };
}

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((done) => {
    child.once('exit', () => done());
    child.kill('SIGTERM');
  });

function folder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'dunnock-looks-'));
  chmodSync(path, 0o755);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Filled with a made-up desk: of that many people, deals and cards where a number is said. */
export async function openDemo(rows?: number): Promise<Looked> {
  const data = folder();
  const env = {
    DEMO_DATA_DIR: data.path,
    PORT: String(await freePort()),
    ...(rows && { DEMO_ROWS: String(rows) }),
  };
  const { child, url } = await started('scripts/demo.ts', env, (words) =>
    words.includes('Password') ? /http:\/\/[\d.:]+/.exec(words)?.[0] : undefined,
  );
  const admin = await cookieFrom(url, '/api/auth/login', { email: ADA.email, password: ADA.password });
  return { url, admin, close: async () => (await ended(child), data.remove()) };
}

/** Started, and nothing done with it: someone may set it up. */
export async function openEmpty(): Promise<Running & { setUp(): Promise<Client> }> {
  const data = folder();
  const port = await freePort();
  const env = {
    SERVICE_DATA_DIR: data.path,
    PORT: String(port),
    SERVICE_PROVISIONING_KEY: KEY,
    SERVICE_DEVELOPMENT: '1',
  };
  const { child, url } = await started('src/main.ts', env, (words) =>
    words.includes(`:${port}`) ? `http://127.0.0.1:${port}` : undefined,
  );
  return {
    url,
    setUp: () => cookieFrom(url, '/api/auth/setup', { key: KEY, ...ADA }),
    close: async () => (await ended(child), data.remove()),
  };
}

/** Someone who may do nothing. */
export async function withoutRights({ url, admin }: Looked): Promise<Client> {
  const { link } = await admin.rest<{ link: string }>('POST', '/api/admin/users/invite', {
    email: 'noor@demo.example',
    name: 'Noor Baran',
    policies: [],
  });
  const token = link.split('/').at(-1);
  return await cookieFrom(url, '/api/auth/accept-invite', {
    token,
    name: 'Noor Baran',
    password: 'four words, unrelated',
  });
}

const freePort = (): Promise<number> =>
  new Promise((found) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const at = server.address();
      server.close(() => found(typeof at === 'object' && at ? at.port : 0));
    });
  });
