// The floor of the database: the product's own PostgreSQL with one bare table, and statements sent to it through the product's
// own pools, which are all that is between.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '../../src/kernel/ids.ts';
import { connect } from '../../src/store/connect.ts';
import { startOwnServer } from '../../src/store/own-server/own-server.ts';

export type What = 'read' | 'statement' | 'transaction';
export type Ask = { what: What; count: number; at_once: number };

const folder = mkdtempSync(join(tmpdir(), 'dunnock-bench-'));
chmodSync(folder, 0o755);
const own = await startOwnServer({ dataDir: folder, log: () => undefined });
const pools = connect(
  { host: own.socketDir, port: own.port, user: own.user, database: own.database },
  () => undefined,
);
await pools.writer`create table floor (id uuid primary key, n int not null, said text not null)`;
const first = newId();
await pools.writer`insert into floor values (${first}, 1, 'something')`;

const DOES: Record<What, () => Promise<unknown>> = {
  read: async () => pools.reader`select id, n, said from floor where id = ${first}`,
  statement: async () => pools.writer`insert into floor values (${newId()}, 1, 'something')`,
  transaction: () => pools.writer.begin((tx) => tx`insert into floor values (${newId()}, 1, 'something')`),
};

process.on('message', async ({ what, count, at_once }: Ask) => {
  let left = count;
  const hand = async (): Promise<void> => {
    while (left-- > 0) await DOES[what]();
  };
  await Promise.all(Array.from({ length: at_once }, hand));
  process.send?.('done');
});
process.on('disconnect', async () => {
  await pools.close();
  await own.stop();
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
});
process.send?.({});
