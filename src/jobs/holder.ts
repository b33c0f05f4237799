// Runs one watch in this process: each round renews leases, ends what may no longer be held, and starts what is due.
// If the process dies, nothing is lost: its leases expire, and another process starts them again.
import { after } from '../kernel/clock.ts';
import type { App } from '../kernel/app.ts';
import { newId } from '../kernel/ids.ts';
import type { Lease } from '../kernel/pass.ts';
import type { AnyWatch, Held } from '../kernel/watch.ts';
import type { Ledger } from './ledger.ts';

/** How long what ends may take to. */
const GRACE_MS = 2_000;

export type Holder = {
  watch: AnyWatch;
  /** One round, or the one after that which is under way; gives how many were begun. */
  run(): Promise<number>;
  wake(): void;
  /** Ends all of it and gives it back. */
  close(): Promise<void>;
};

export function openHolder(app: App, watch: AnyWatch, ledger: Ledger): Holder {
  const { database, clock } = app;
  const held = new Map<string, Held & { gone: Promise<void> }>();
  const id = newId();
  let running: Promise<number> | null = null;
  let again = false;
  let closed = false;

  const leaseNow = (): Lease => {
    const from = clock.now();
    return { id, from, until: after(from, watch.lease_ms) };
  };

  const begin = (row: { id: string }): void => {
    const one = watch.begin(app, row, id);
    const gone = one.ended
      .then(() => database.transact((tx) => watch.release(tx, leaseNow(), row.id)))
      // Its lease runs out on its own.
      .catch((err: unknown) => app.log.error({ err, watch: watch.name }, 'a watch could not be given back'))
      .then(() => void held.delete(row.id));
    held.set(row.id, { ...one, gone });
  };

  const ended = async (some: readonly { gone: Promise<void> }[]): Promise<void> => {
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, GRACE_MS);
    await Promise.race([Promise.all(some.map(({ gone }) => gone)), late.promise]);
    clearTimeout(timer);
  };

  const round = async (): Promise<number> => {
    const kept = new Set(await database.transact((tx) => watch.renew(tx, leaseNow())));
    const lost = [...held].filter(([each]) => !kept.has(each)).map(([, one]) => one);
    for (const one of lost) one.end();
    for (const [each, one] of held) if (kept.has(each)) one.look();
    await ended(lost);
    const room = watch.most - held.size;
    if (room <= 0 || closed) return 0;
    const rows = await database.transact((tx) => watch.claim(tx, leaseNow(), room));
    // One that is not gone yet although its lease was lost begins when it is.
    const fresh = rows.filter((row) => !held.has(row.id));
    for (const row of fresh) begin(row);
    return fresh.length;
  };

  const rounds = async (): Promise<number> => {
    let begun = 0;
    let fault: { error: unknown } | null = null;
    try {
      do {
        again = false;
        begun += await round();
      } while (again && !closed);
      return begun;
    } catch (error) {
      fault = { error };
      throw error;
    } finally {
      await ledger.note(begun, fault);
      running = null;
    }
  };

  const run = (): Promise<number> => {
    if (closed) return Promise.resolve(0);
    again = running !== null;
    running ??= rounds();
    return running;
  };

  return {
    watch,
    run,
    wake: () =>
      void run().catch((err: unknown) => app.log.error({ err, watch: watch.name }, 'a round failed')),
    async close() {
      closed = true;
      await running?.catch(() => 0);
      const all = [...held.values()];
      for (const one of all) one.end();
      await ended(all);
    },
  };
}
