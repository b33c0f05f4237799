// What a release leaves for the versions after it: names and hashes of its migrations, a dump of a desk that it wrote, and what
// its entry points answered. Written once, by the version in package.json, to test/upgrade/<version>; never written again.
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
  chmodSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { pino } from 'pino';
import { openInstance, type RunningInstance } from '../src/instance.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { readAllowedHosts } from '../src/net/switches.ts';
import { openConnection } from '../src/store/backup/session.ts';
import { writeBackup } from '../src/store/backup/write.ts';
import { migrationsIn } from '../src/store/migration-files.ts';
import { startOwnServer } from '../src/store/own-server/own-server.ts';
import { keyOfText } from '../src/store/seal.ts';
import { ADMIN, MASTER_KEY, NAME, seenBy, type Seen } from '../test/upgrade/desk.ts';

const ROOT = join(import.meta.dirname, '..');
const KEY = 'the key of the released desk';
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const folder = join(ROOT, 'test', 'upgrade', version);

type Routes = (method: string, path: string, body?: object) => Promise<{ status: number; body: unknown }>;

async function openRoutes({ address }: RunningInstance): Promise<Routes> {
  let cookie = '';
  const call: Routes = async (method, path, body) => {
    const answer = await fetch(address + path, {
      method,
      headers: { cookie, origin: address, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    cookie ||= answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    return { status: answer.status, body: await answer.json().catch(() => null) };
  };
  await call('POST', '/api/auth/setup', { key: KEY, ...ADMIN });
  return call;
}

/** The sample desk, and beside it what that has none of. */
async function fill({ jobs }: RunningInstance, call: Routes): Promise<void> {
  const done = async (
    method: string,
    path: string,
    body: object,
  ): Promise<{ workflow: { id: string; revision: number } }> => {
    const answer = await call(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body as { workflow: { id: string; revision: number } };
  };
  await done('POST', '/api/admin/samples', {});
  await done('POST', '/api/admin/tokens', { name: 'reader', mode: 'user' });
  await done('POST', '/api/admin/crm/segments', {
    name: 'At the fair',
    filter: { all: [{ field: 'tags', op: 'any', value: ['fair'] }] },
  });
  await done('POST', '/api/admin/crm/people', {
    name: 'Erin Released',
    addresses: [{ value: 'erin@released.example' }],
  });
  const { workflow } = await done('POST', '/api/workflows', {
    name: 'Look at Monday',
    trigger: { kind: 'manual' },
    steps: [{ id: 'wait', kind: 'wait', name: 'A day', input: { minutes: 1440 } }],
  });
  await done('POST', `/api/workflows/${workflow.id}/activate`, { revision: workflow.revision });
  await done('POST', `/api/workflows/${workflow.id}/runs`, { inputs: {} });
  for (const pass of ['workflow_triggers', 'workflow_steps']) await jobs.run(pass);
}

async function write(where: Parameters<typeof openConnection>[0], seen: Seen): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const files = migrationsIn(join(ROOT, 'migrations')).map(({ name, sha256 }) => ({ name, sha256 }));
  writeFileSync(join(folder, 'migrations.json'), `${JSON.stringify(files, null, 2)}\n`);
  writeFileSync(join(folder, 'seen.json'), `${JSON.stringify(seen, null, 2)}\n`);
  const zip = createGzip({ level: 9 });
  const disk = zip.pipe(createWriteStream(join(folder, 'desk.backup')));
  const connection = openConnection(where);
  await writeBackup(connection, zip, { instance: NAME, version });
  zip.end();
  await finished(disk);
  await connection.end();
}

if (existsSync(join(folder, 'migrations.json'))) {
  process.stderr.write(`${folder} is there already: a release is written once.\n`);
  process.exit(1);
}
const data = mkdtempSync(join(tmpdir(), 'dunnock-release-'));
chmodSync(data, 0o755); // the server's own account must reach it
const own = await startOwnServer({ dataDir: data, log: () => undefined });
const database = { host: own.socketDir, port: own.port, user: own.user, database: own.database };
try {
  const instance = await openInstance({
    name: NAME,
    version,
    base_url: null,
    host: '127.0.0.1',
    port: 0,
    origins: [],
    database,
    migrations: join(ROOT, 'migrations'),
    master_key: keyOfText(MASTER_KEY),
    provisioning_key: KEY,
    api_document: join(ROOT, 'openapi.json'),
    screens: null,
    outside: {
      lookup: async () => [],
      dns: { servers: ['127.0.0.1:9'] },
      events: { allowPrivate: false },
      hosts: { allowedHosts: readAllowedHosts('') },
      mail_ca: [],
    },
    sending: { enabled: true, development: true },
    passes: 'when_told',
    clock: systemClock,
    log: pino({ level: 'error' }, pino.destination(2)),
  });
  const call = await openRoutes(instance);
  await fill(instance, call);
  const seen = await seenBy((path) => call('GET', path));
  await instance.close();
  await write(database, seen);
} finally {
  await own.stop();
  rmSync(data, { recursive: true, force: true });
}
