// The pass that lands mail: two at a time, each in a transaction of its own, so that there is nothing more to commit. Reading
// a stranger's mail is the part that can go wrong without end, so it happens before anything is locked, and a mail that took a
// process with it is tried alone the next time, and put aside after a few.
import { MINUTE_MS, SECOND_MS, after } from '../../../../kernel/clock.ts';
import type { Principal } from '../../../../kernel/caller.ts';
import type { App } from '../../../../kernel/app.ts';
import { pass, type AnyPass } from '../../../../kernel/pass.ts';
import { MAIL_IN } from '../../mailboxes/inbound.store.ts';
import { landArrived } from './land.ts';
import { readArrived } from './read.ts';
import {
  bytesOf,
  claimMails,
  type DueMail,
  forgetSettled,
  lockMail,
  lookAgainAt,
  putAside,
  releaseMails,
} from '../store.ts';

/** Who reads what came in while no one looks. */
const INBOUND: Principal = { kind: 'system', id: 'landing', name: 'the inbox' };

const AGAIN_AFTER_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 120 * MINUTE_MS];

export const inboundPass: AnyPass = pass<DueMail, 'landed'>({
  name: 'landing',
  wakes_on: [MAIL_IN],
  interrupted_by: [],
  tells: 'inbound',
  every_ms: 10 * SECOND_MS,
  batch: 10,
  at_a_time: 2,
  starts_within_ms: 20 * SECOND_MS,
  claim: claimMails,
  open: (app) => ({
    begin: async () => async (due, cut) => {
      if (cut.aborted) return null;
      await landDue(app, due);
      return 'landed';
    },
    close: () => undefined,
  }),
  commit: async () => undefined,
  release: releaseMails,
  tidy: forgetSettled,
});

async function landDue(app: App, due: DueMail): Promise<void> {
  const { database, clock, log } = app;
  if (due.attempts > AGAIN_AFTER_MS.length + 1) {
    await database.transact((tx) => putAside(tx, due, clock.now()));
    return;
  }
  try {
    await landOne(app, due);
  } catch (error) {
    // Its code alone: what a database says of a stranger's mail holds the stranger's words.
    const code = (error as { code?: unknown } | null)?.code;
    log.error({ mail: due.id, code: typeof code === 'string' ? code : null }, 'a mail could not be landed');
    const wait = AGAIN_AFTER_MS[due.attempts - 1];
    await database.transact((tx) =>
      wait === undefined ? putAside(tx, due, clock.now()) : lookAgainAt(tx, due, after(clock.now(), wait), 0),
    );
  }
}

async function landOne({ database, clock, sealer }: App, due: DueMail): Promise<void> {
  const stored = await bytesOf(database.reader, due.id);
  if (!stored) return;
  const { bytes, delivered_to, folder_role, cut } = stored;
  const about = { delivered_to, own: folder_role === 'sent', cut };
  const arrived = await readArrived(bytes, about, sealer.key('verp'), clock.now());
  const changes = await database.transact(async (tx) => {
    const now = clock.now();
    const held = await lockMail(tx, due);
    if (!held) return [];
    const landing = await landArrived(tx, held, arrived, {
      emit: (event, data) => database.emit(tx, event, data, now),
      by: INBOUND,
      now,
    });
    if (landing !== 'later') return landing.landed.changes;
    await lookAgainAt(tx, due, after(now, MINUTE_MS), 1);
    return [];
  });
  database.tell(changes);
}
