// Emails people who want it that approvals wait for them, at most every ten minutes. The email has a link and no permission:
// they decide in the app, signed in.
import { after, DAY_MS, MINUTE_MS } from '../../../kernel/clock.ts';
import type { App } from '../../../kernel/app.ts';
import { pass, type AnyPass } from '../../../kernel/pass.ts';
import { approvalWords } from '../../access/instance-mail/letters.ts';
import { queueMail, type ToMail } from '../../access/instance-mail/queue.store.ts';
import { outgoingMail } from '../../access/instance-mail/way.store.ts';
import { callerNow } from '../../access/policies/standing.ts';
import { dueListeners, lookedFor, type Listener } from './notices.store.ts';
import { deciderOf, refusedToDecide } from './rules.ts';
import { listApprovals } from './store.ts';
import { seenKeys, type Subject } from './subject.ts';

type Result = { listener: Listener; mail: ToMail | null; at: Date; app: App };

const AGAIN_AFTER_MS = 10 * MINUTE_MS;
/** More than anyone reads in a mail, and enough to count by. */
const COUNTED = 200;
const NAMED = 10;

/** Bound to the subjects that decisions reach, which say whose business each is. */
export const approvalNotices = (subjects: readonly Subject[]): AnyPass =>
  pass<Listener, Result>({
    name: 'approval_notices',
    wakes_on: [],
    interrupted_by: [],
    tells: 'settings',
    every_ms: MINUTE_MS,
    batch: 50,
    at_a_time: 2,
    starts_within_ms: 30_000,
    // No one is marked here: of two processes that looked, the first to commit tells.
    claim: (tx, lease, count) => dueListeners(tx, after(lease.from, -AGAIN_AFTER_MS), count),
    open: (app) => ({
      async begin() {
        const way = await outgoingMail(app.database.reader, app.sealer);
        return async (listener) => {
          const at = app.clock.now();
          return { listener, mail: way && (await mailFor(app, subjects, listener, at)), at, app };
        };
      },
      close: () => undefined,
    }),
    async commit(tx, _lease, results) {
      for (const { listener, mail, at, app } of results.toSorted((a, b) =>
        a.listener.id < b.listener.id ? -1 : 1,
      ))
        if ((await lookedFor(tx, listener, at)) && mail) await queueMail(tx, app.sealer, mail, at);
    },
    release: async () => undefined,
    tidy: async () => undefined,
  });

/** Null where nothing waits that they may decide. */
async function mailFor(
  app: App,
  subjects: readonly Subject[],
  { id, name, email }: Listener,
  now: Date,
): Promise<ToMail | null> {
  const { instance } = app;
  const titles = await decidable(app, subjects, { id, name }, now);
  if (titles.length === 0) return null;
  const said = { waiting: titles.length, titles: titles.slice(0, NAMED) };
  const words = approvalWords(instance.name, said, `${instance.base_url}/approvals`);
  return { kind: 'approvals', user_id: id, to: email, ...words, ends_at: after(now, DAY_MS) };
}

async function decidable(
  app: App,
  subjects: readonly Subject[],
  { id, name }: { id: string; name: string },
  now: Date,
): Promise<string[]> {
  const by = { kind: 'person', id, name } as const;
  const db = app.database.reader;
  const caller = await callerNow(db, { by, token: null }, { turn: 'direct', surface: 'pass' }, now);
  if (!caller) return [];
  const waiting = { state: 'pending', project: undefined, kind: undefined, subject: undefined } as const;
  const asked = { ...waiting, after: null, count: COUNTED };
  const keys = seenKeys(subjects, { caller, app });
  const rows = await listApprovals(db, caller, 'approval.decide', asked, keys);
  return rows
    .filter((row) => refusedToDecide(row, deciderOf(caller), { decide_on_screen_only: true }) === null)
    .map(({ subject }) => `${subject.key} ${subject.title}`);
}
