// Clients are made of the API document by two generators, compile under a strict compiler, and through one of them ten
// operations of a running instance are called.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../support/app.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

let app: TestApp;
let folder: string;
beforeAll(async () => {
  app = await openTestApp();
  // Below the checkout, where packages are found, and outside every folder that is compiled with it.
  await mkdir(join(ROOT, 'dist'), { recursive: true });
  folder = await mkdtemp(join(ROOT, 'dist/clients-'));
  await writeFile(join(folder, 'openapi.json'), await (await fetch(`${app.url}/openapi.json`)).text());
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await app.close();
});

const node = (args: string[], env: Record<string, string> = {}) =>
  run(process.execPath, args, { cwd: folder, env: { ...process.env, ...env }, timeout: 120_000 });

/** One of them starts a process of its own, so that it is told by the environment. */
const generate = (bin: string, ...args: string[]) =>
  node([join(ROOT, 'node_modules', bin), ...args], {
    NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'generators.mjs')).href}`,
  });

const CALLS = `
import createClient from 'openapi-fetch';
import type { components, paths } from './api.ts';

type Refusal = components['schemas']['Error'];
const { URL: baseUrl = '', TOKEN = '' } = process.env;
const api = createClient<paths>({ baseUrl, headers: { authorization: 'Bearer ' + TOKEN } });
const done: string[] = [];
function given<T>(what: string, { data, error }: { data?: T; error?: Refusal }): T {
  if (data === undefined) throw new Error(what + ': ' + error?.error.message);
  done.push(what);
  return data;
}

const { user } = given('me', await api.GET('/api/me')) as { user?: unknown };
const { project } = given('project', await api.POST('/api/work/projects', { body: { key: 'API', name: 'Clients' } }));
const made = await api.POST('/api/work/items', {
  params: { header: { 'Idempotency-Key': 'once' } },
  body: { project: project.key, title: 'Written by a generated client', status: 'todo', priority: 'high' },
});
const { item } = given('item', made);
const one = { params: { path: { item_id: item.id } } };
given('comment', await api.POST('/api/work/items/{item_id}/comments', { ...one, body: { text: 'a note' } }));
given('move', await api.POST('/api/work/items/{item_id}/move', { ...one, body: { status: 'in_progress' } }));
const asked = { params: { query: { project: project.key, status: 'in_progress', limit: 5 } } } as const;
const { items } = given('items', await api.GET('/api/work/items', asked));
const { company } = given('company', await api.POST('/api/admin/crm/companies', { body: { name: 'Acme' } }));
const path = { company: company.id };
const changed = await api.PATCH('/api/admin/crm/companies/{company}', {
  params: { path },
  body: { revision: company.revision, country: 'DE' },
});
given('change', changed);
const { campaign } = given(
  'campaign',
  await api.POST('/api/admin/outreach/campaigns', { body: { name: 'Spring' } }),
);
const drafts = { params: { query: { state: 'draft' } } } as const;
const listed = given('campaigns', await api.GET('/api/admin/outreach/campaigns', drafts));
const ids: components['schemas']['ListedCampaign']['id'][] = listed.items.map(({ id }) => id);

const refused = await api.PATCH('/api/admin/crm/companies/{company}', {
  params: { path },
  body: { revision: company.revision, country: 'FR' },
});
const code: components['schemas']['ErrorCode'] | undefined = refused.error?.error.code;
console.log(JSON.stringify({ done, titles: items.map(({ title }) => title), mine: ids.includes(campaign.id), code }));
export { user };
`;

/** A value that the document does not have must not compile, or the types say nothing. */
const WRONG = `
import createClient from 'openapi-fetch';
import type { paths } from './api.ts';
const api = createClient<paths>();
await api.POST('/api/work/items', { body: { project: 'API', title: 'x', priority: 'at once' } });
`;

const OPTIONS = {
  target: 'esnext',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['esnext', 'dom', 'dom.iterable'],
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
};

async function compiled(files: string[]): Promise<string> {
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS, files }));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  return node([tsc, '-p', folder]).then(
    ({ stdout }) => stdout,
    (error: { stdout?: string; message: string }) => error.stdout ?? error.message,
  );
}

test(
  'a client made by openapi-typescript compiles, and calls ten operations',
  { timeout: 180_000 },
  async () => {
    await generate('openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'api.ts');
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'calls.ts'), CALLS);
    await writeFile(join(folder, 'wrong.ts'), WRONG);
    expect(await compiled(['calls.ts'])).toBe('');
    expect(await compiled(['wrong.ts'])).toMatch(/^wrong\.ts.*at once/);
    const token = await app.token();
    const { stdout } = await node(['calls.ts'], { URL: app.url, TOKEN: token.value });
    expect(JSON.parse(stdout)).toEqual({
      done: [
        'me',
        'project',
        'item',
        'comment',
        'move',
        'items',
        'company',
        'change',
        'campaign',
        'campaigns',
      ],
      titles: ['Written by a generated client'],
      mine: true,
      code: 'conflict',
    });
  },
);

test('a client made by openapi-ts compiles', { timeout: 180_000 }, async () => {
  await generate('@hey-api/openapi-ts/bin/run.js', '-i', 'openapi.json', '-o', 'client', '--silent');
  expect(await readFile(join(folder, 'client/sdk.gen.ts'), 'utf8')).toContain('itemMove');
  expect(await compiled(['client/index.ts'])).toBe('');
});
