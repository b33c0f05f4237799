// The pass that files copies of sent letters in Sent and looks for those of uncertain ones. It never delays the sender; what it
// can’t do is shown on the identity.
import { SECOND_MS } from '../../../kernel/clock.ts';
import type { Database } from '../../../kernel/database.ts';
import type { App } from '../../../kernel/app.ts';
import { type AnyPass, pass } from '../../../kernel/pass.ts';
import { keepDoubted } from '../deliveries/doubted.ts';
import { recordDeliveries, REPORTS } from '../deliveries/record.ts';
import { copyFound } from '../deliveries/uncertain.ts';
import { nextTry } from '../../../mail/imap/backoff.ts';
import type { OnSent } from '../sends/letter/on-sent.ts';
import { type Visit, visitFolder } from './file.ts';
import {
  claimFolders,
  type DueFolder,
  forgetCopies,
  lockFolder,
  releaseFolders,
  saveFolder,
  saveOutcome,
} from './store.ts';

type Visited = Visit & { database: Database; folder: DueFolder; at: Date };

export const sentCopiesPass = (on_sent: OnSent): AnyPass =>
  pass<DueFolder, Visited>({
    name: 'sent_copies',
    // Said when settings, or a password, of an identity are saved.
    wakes_on: ['identities'],
    interrupted_by: [],
    tells: 'sends',
    every_ms: 15 * SECOND_MS,
    batch: 4,
    at_a_time: 2,
    starts_within_ms: 10 * SECOND_MS,
    // Each mailbox is one.
    slots: { of: ({ id }) => id, most: 40 },
    claim: claimFolders,
    open: (app) => ({
      begin: async () => (folder, cut) => visit(app, folder, cut),
      close: () => undefined,
    }),
    async commit(tx, lease, results) {
      for (const { database, folder, outcomes, trouble, at } of results) {
        if (!(await lockFolder(tx, lease, folder.id))) continue;
        const arrived = outcomes.flatMap(({ wanted, outcome }) =>
          wanted.state === 'uncertain' && outcome.to === 'found'
            ? copyFound({ id: wanted.send_id, resent_at: wanted.resent_at }, at)
            : [],
        );
        // Before what goes on to domains. Asked of every letter whose copy is there: someone may have said that it had not gone
        // while the folder was looked through.
        for (const { wanted, outcome } of outcomes.toSorted(byLetter))
          if (outcome.to === 'found')
            await keepDoubted(tx, wanted.send_id, {
              by: REPORTS,
              now: at,
              emit: async (event, data) => void (await database.emit(tx, event, data, at)),
            });
        await recordDeliveries(tx, arrived, {
          emit: (event, data) => database.emit(tx, event, data, at),
          now: at,
          on_sent,
        });
        for (const { wanted, outcome } of outcomes) await saveOutcome(tx, wanted.send_id, outcome, at);
        const attempts = trouble === null ? 0 : folder.attempts + 1;
        const due_at = trouble === null ? at : nextTry(null, attempts, at, Math.random());
        await saveFolder(tx, folder.id, { trouble, attempts, due_at }, at);
      }
    },
    release: releaseFolders,
    tidy: forgetCopies,
  });

/** In one order wherever letters are locked. */
const byLetter = (one: Visit['outcomes'][number], other: Visit['outcomes'][number]): number =>
  one.wanted.send_id < other.wanted.send_id ? -1 : 1;

async function visit(app: App, folder: DueFolder, cut: AbortSignal): Promise<Visited | null> {
  const visited = await visitFolder(app, folder, cut);
  if (cut.aborted && visited.outcomes.length === 0) return null;
  return { ...visited, database: app.database, folder, at: app.clock.now() };
}
