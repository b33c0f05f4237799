// Checks that the product as it is built does what its sources say where the two could differ: files it loads later,
// and threads, which are files of their own.
import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, parse } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { keyOfText } from '../../src/store/seal.ts';
import { MAIN } from '../support/built.ts';
import { freshDatabase } from '../support/database.ts';
import { openTestApp } from '../support/app.ts';
import { temporaryFolder } from './holding.ts';

const KEY = 'the key of the test of what is built';
const SRC = join(import.meta.dirname, '../../src');

test('every thread that the sources begin, and every job of one, is built into a file of its own', () => {
  const threads = globSync('**/*.ts', { cwd: SRC })
    .filter((path) => !path.endsWith('.test.ts'))
    .flatMap((path) => [
      ...readFileSync(join(SRC, path), 'utf8').matchAll(
        /(?:new Worker\(\s*new URL\('|new URL\('(?=[^']+\.job\.ts'))([^']+)'/g,
      ),
    ])
    .map(([, file = '']) => parse(file).name);
  expect(threads.length).toBeGreaterThanOrEqual(5);
  const built = readFileSync(MAIN, 'utf8');
  for (const name of threads)
    expect(
      globSync(`server/${name}-*.mjs`, { cwd: dirname(MAIN) }).some((path) => built.includes(path)),
    ).toBe(true);
});

test('the product as it is built runs a script for an agent, and reads what a form is told', async () => {
  const database = await freshDatabase();
  onTestFinished(() => database.drop());
  const app = await openTestApp({ database, name: 'main', masterKey: keyOfText(KEY) });
  onTestFinished(() => app.close());
  const token = await app.token({ scopes: { scripts: true } });
  const child = spawn(process.execPath, [MAIN, 'start', '--role', 'web'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      PORT: '0',
      SERVICE_DATA_DIR: temporaryFolder(),
      SERVICE_MASTER_KEY: KEY,
      DATABASE_URL: database.url,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = / is at (http:\/\/\S+)$/.exec(line)?.[1];
      if (found) resolve(found);
    });
    child.on('close', (status) => reject(new Error(`it ended with ${status}`)));
  });
  const answer = await fetch(`${url}/api/admin/scripts/run`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token.value}` },
    body: JSON.stringify({ script: 'return dunnock.me_get().user.name' }),
  });
  expect(await answer.json()).toMatchObject({ state: 'finished', result: 'Ada Operator' });
  const made = await app.admin.rest('POST', '/api/admin/forms', { name: 'Contact' });
  const posted = await fetch(`${url}${new URL(made.body.form.url).pathname}`, {
    method: 'POST',
    body: new URLSearchParams({ email: 'dana@acme.example', message: 'Unsubscribe' }),
  });
  expect(posted.status).toBe(200);
  expect(await app.sql`select reading from touches`).toEqual([{ reading: 'unsubscribe' }]);
});
