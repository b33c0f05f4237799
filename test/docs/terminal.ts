// Types the commands of a page as its reader would: each section in a new terminal, in the checkout, with a home and a data
// folder of its own. A command that goes on serving is left running until the page has it stopped.
import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect } from 'vitest';
import { openConnection } from '../../src/store/backup/session.ts';
import { temporaryFolder } from '../commands/holding.ts';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';
import { ROOT } from './page.ts';

/** What is in the pages for things of the reader's own. */
const DATABASE = 'postgres://dunnock:secret@db.example.com:5432/dunnock';
const ADDRESS = 'http://127.0.0.1:4400';
const NAMED = 'https://desk.example.com';
const TOKEN = 'nck_…';

const SERVES = /^(npm start|node scripts\/dunnock\.mjs start.*)$/m;
/** The pages say "stop the product" before these; a worker is started beside what runs. */
const ALONE = /^(npm start|node scripts\/dunnock\.mjs (start(?! --role worker)|move|restore|rewrap))/m;

const ADMIN = { name: 'Ada Operator', email: 'ada@example.com', password: 'correct horse battery' };

export type Terminal = {
  /** Types a block; gives what was printed, with the reader's address as the pages have it. */
  type(section: string, text: string): Promise<string>;
  close(): Promise<void>;
};

type Server = { child: ChildProcess; ended: Promise<void> };

/** Programs that are another's, or would change the checkout: each does what the page counts on, and fails on anything else. */
function standIns(home: string): string {
  const folder = join(home, 'bin');
  mkdirSync(folder);
  const program = (name: string, line: string): void => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${line}\n`);
    chmodSync(join(folder, name), 0o755);
  };
  program('claude', `exec node '${join(import.meta.dirname, 'claude.mjs')}' "$@"`);
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  if (!folders.some((each) => existsSync(join(each, 'curl'))))
    program('curl', `exec node '${join(import.meta.dirname, 'curl.mjs')}' "$@"`);
  program('npx', `exec node '${join(import.meta.dirname, 'npx.mjs')}' "$@"`);
  program('git', '[ "$*" = "pull --ff-only" ]');
  return folder;
}

async function emptyDatabase(): Promise<FreshDatabase> {
  const made = await freshDatabase();
  const connection = openConnection(made.options);
  await connection.unsafe('drop schema public cascade; create schema public');
  await connection.end();
  return made;
}

export function openTerminal(): Terminal {
  const home = temporaryFolder();
  const path = [dirname(process.execPath), standIns(home), process.env['PATH'] ?? ''].join(delimiter);
  const databases = new Map<string, FreshDatabase>();
  const exported = new Map<string, string[]>();
  let servers: Server[] = [];
  let address = ADDRESS;
  let token = TOKEN;

  const stop = async (): Promise<void> => {
    const running = servers.filter(({ child }) => child.exitCode === null && child.signalCode === null);
    servers = [];
    // To the whole group, as Ctrl-C in a terminal does.
    for (const { child } of running) process.kill(-(child.pid as number), 'SIGTERM');
    await Promise.all(running.map(({ ended }) => ended));
  };

  async function ownWords(section: string, text: string): Promise<string> {
    if (text.includes(DATABASE) && !databases.has(section)) databases.set(section, await emptyDatabase());
    return text
      .replaceAll(DATABASE, databases.get(section)?.url ?? '')
      .replaceAll(ADDRESS, address)
      .replaceAll(NAMED, address)
      .replaceAll(TOKEN, token)
      .replaceAll('./data/', `${home}/data/`);
  }

  return {
    async type(section, text) {
      if (ALONE.test(text)) await stop();
      const typed = await ownWords(section, text);
      const before = exported.get(section) ?? [];
      exported.set(section, [...before, ...(typed.match(/^export .*$/gm) ?? [])]);
      const child = spawn('/bin/sh', ['-eu', '-c', [...before, typed].join('\n')], {
        cwd: ROOT,
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          PATH: path,
          HOME: home,
          // Any that is free.
          PORT: '0',
          SERVICE_DATA_DIR: join(home, 'data'),
          LOG_LEVEL: 'fatal',
          NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
          npm_config_cache: join(home, '.npm'),
        },
      });
      let printed = '';
      let status: number | null | undefined;
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (part: string) => (printed += part));
      const ended = new Promise<void>((resolve) =>
        child.on('close', (code) => {
          status = code;
          resolve();
        }),
      );
      if (SERVES.test(text)) {
        servers.push({ child, ended });
        await expect
          .poll(() => (status === undefined ? printed : `ended: ${printed}`), { timeout: 240_000 })
          .toMatch(/^ended|^A Dunnock worker is at|^Set it up|^Connect an agent/m);
        expect(status, printed).toBeUndefined();
        const at = /is at (http\S+)/.exec(printed)?.[1] ?? '';
        expect((await fetch(`${at}/healthz`)).status, printed).toBe(200);
        if (!printed.includes('A Dunnock worker')) {
          address = at;
          const key = /setup\?key=(\S+)/.exec(printed)?.[1];
          if (key) token = await setUp(at, decodeURIComponent(key));
          await demandTools(at, token);
        }
      } else {
        await ended;
        expect(status, `${text}\n${printed}`).toBe(0);
      }
      return printed.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, ADDRESS);
    },
    async close() {
      await stop();
      await Promise.all([...databases.values()].map((database) => database.drop()));
    },
  };
}

/** What the reader does on the screens: the first administrator, and a token for an agent. */
async function setUp(at: string, key: string): Promise<string> {
  const post = async (path: string, body: object, headers: Record<string, string>): Promise<Response> => {
    const answer = await fetch(at + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    expect(answer.ok, path).toBe(true);
    return answer;
  };
  const made = await post('/api/auth/setup', { key, ...ADMIN }, {});
  const cookie = made.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const minted = await post('/api/admin/tokens', { name: 'agent', mode: 'user' }, { cookie, origin: at });
  return ((await minted.json()) as { value: string }).value;
}

/** An instance that was moved or upgraded is the one whose token the reader has. */
async function demandTools(at: string, token: string): Promise<void> {
  const answer = await fetch(`${at}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  expect(answer.status).toBe(200);
}
