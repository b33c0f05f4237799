// The demo instance: started on a data folder of its own, and filled once by the maker of sample data with larger sizes.
// DEMO_ROWS=10000 makes people, deals and cards of that number; DEMO_DATA_DIR and PORT say where.
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { planDesk, writeDesk } from '../src/features/instance/start/make.ts';
import type { Size } from '../src/features/instance/start/plan.ts';
import { stageKeys } from '../src/features/instance/start/rows.store.ts';
import { openInstance, type RunningInstance } from '../src/instance.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { readAllowedHosts } from '../src/net/switches.ts';
import { masterKey } from '../src/store/seal.ts';
import { startOwnServer } from '../src/store/own-server/own-server.ts';

const ROOT = join(import.meta.dirname, '..');
const { env } = process;
const SEED = 2_026;
const ADMIN = { name: 'Ada Operator', email: 'ada@demo.example', password: 'a demo of rope and sail' };
/** Worth nothing once the first administrator is there, which is before anyone hears of the address. */
const KEY = 'the-key-of-the-demo-instance';

const DEMO: Size = {
  people: 500,
  campaigns: [
    {
      name: 'Rope for working boats',
      goal: 'Yards that try a metre of line',
      state: 'active',
      people: 260,
      began_days: 32,
      over_days: 36,
    },
    {
      name: 'Sailing schools, autumn',
      goal: 'Season contracts',
      state: 'paused',
      people: 110,
      began_days: 26,
      over_days: 30,
    },
    {
      name: 'Visitors of the boat show',
      goal: 'Offers asked for at the stand',
      state: 'finished',
      people: 90,
      began_days: 48,
      over_days: 18,
    },
  ],
  in_review: 12,
  deals: 32,
  cards: 60,
  parked: 4,
  events: 120,
};

/** Lists of that length; the shape stays. */
function sized(rows: number | null): Size {
  if (rows === null) return DEMO;
  const share = (people: number): number => Math.round((people / DEMO.people) * rows);
  const campaigns = DEMO.campaigns.map((campaign) => ({ ...campaign, people: share(campaign.people) }));
  return { ...DEMO, people: rows, campaigns, deals: rows, cards: rows, events: rows };
}

async function fill(instance: RunningInstance, size: Size): Promise<void> {
  const answer = await fetch(`${instance.address}/api/auth/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key: KEY, ...ADMIN }),
  });
  if (!answer.ok) throw new Error(`the demo could not be set up: ${await answer.text()}`);
  const { user } = (await answer.json()) as { user: { id: string; name: string } };
  const { app } = instance;
  const wishes = {
    seed: SEED,
    now: systemClock.now(),
    by: { kind: 'person', id: user.id, name: user.name } as const,
    user_id: user.id,
    stages: await stageKeys(app.database.reader),
    project: { key: 'ROPE', name: 'Rope & Sail' },
    instance: app.instance.name,
  };
  const plan = await planDesk(app, wishes, size);
  await app.database.transact((tx) => writeDesk(tx, app, plan, size));
  // As it is a minute later on a running instance, when the server has looked at what was written.
  await instance.pools.writer`analyze`;
}

const rows = env['DEMO_ROWS'] ? Number(env['DEMO_ROWS']) : null;
if (rows !== null && !(Number.isInteger(rows) && rows >= 10 && rows <= 100_000)) {
  process.stderr.write('DEMO_ROWS must be a whole number from 10 to 100000.\n');
  process.exit(1);
}
const folder = env['DEMO_DATA_DIR'] ?? join(ROOT, 'data', rows === null ? 'demo' : `demo-${rows}`);
mkdirSync(folder, { recursive: true });
// The server's own account must reach it.
chmodSync(folder, 0o755);

const own = await startOwnServer({ dataDir: folder, log: () => undefined });
const instance = await openInstance({
  name: 'demo',
  version: '0',
  base_url: null,
  host: '127.0.0.1',
  port: Number(env['PORT'] ?? 4_410),
  origins: [],
  database: { host: own.socketDir, port: own.port, user: own.user, database: own.database },
  migrations: join(ROOT, 'migrations'),
  master_key: await masterKey(undefined, join(folder, 'master.key')),
  provisioning_key: KEY,
  api_document: join(ROOT, 'openapi.json'),
  screens: join(ROOT, 'dist', 'ui'),
  outside: {
    // No one is asked anything: a demo works without a network.
    lookup: async () => [],
    dns: { servers: ['127.0.0.1:9'] },
    events: { allowPrivate: false },
    hosts: { allowedHosts: readAllowedHosts('') },
    mail_ca: [],
  },
  // Letters go to the built-in sink, whatever anyone sets up.
  sending: { enabled: true, development: true },
  passes: 'by_themselves',
  clock: systemClock,
  log: pino({ level: env['LOG_LEVEL'] ?? 'error' }, pino.destination(2)),
});

let ending = false;
async function end(): Promise<void> {
  if (ending) return;
  ending = true;
  await instance.close();
  await own.stop();
  process.exit(0);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end());

if (instance.setup.waiting) await fill(instance, sized(rows));
process.stdout.write(`The demo is at ${instance.address}
Sign in:  ${ADMIN.email}
Password: ${ADMIN.password}
Its data: ${folder}
`);
