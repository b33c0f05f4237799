// Tells people of a yes, an assignment, a pause and a failure: whomever it concerns, who may read and act on it, and who did not
// switch it off. The database recorded each in the transaction that caused it.
import { SECOND_MS } from '../../../kernel/clock.ts';
import type { App } from '../../../kernel/app.ts';
import { DELIVERIES_DUE } from '../../../kernel/events.rules.ts';
import { pass, type AnyPass } from '../../../kernel/pass.ts';
import { couldAllow } from '../../../kernel/policy.ts';
import { calledOf } from '../../access/audit/records.store.ts';
import { choicesOf } from '../../access/notifications/choices.rules.ts';
import { notify, type Notice } from '../../access/notifications/store.ts';
import { callerNow } from '../../access/policies/standing.ts';
import { NOTICE, NOTICE_ACTION } from './notices.rules.ts';
import {
  activePeople,
  assigneeOf,
  claimEvents,
  dropEvent,
  giveBackEvents,
  knowsAlready,
  tookItself,
  type NoticeEvent,
  type Person,
} from './notices.store.ts';

type Result = { event: NoticeEvent; notices: Notice[] };

export const noticesPass: AnyPass = pass<NoticeEvent, Result>({
  name: 'notices',
  wakes_on: [DELIVERIES_DUE, 'work', 'threads', 'campaigns', 'domains', 'identities'],
  interrupted_by: [],
  tells: 'notifications',
  every_ms: 15 * SECOND_MS,
  batch: 20,
  at_a_time: 2,
  starts_within_ms: 20 * SECOND_MS,
  claim: claimEvents,
  open: (app) => ({
    async begin() {
      const people = await activePeople(app.database.reader);
      return async (event) => ({ event, notices: await noticesOf(app, event, people) });
    },
    close: () => undefined,
  }),
  async commit(tx, lease, results) {
    for (const { event, notices } of results.toSorted((a, b) => (a.event.id < b.event.id ? -1 : 1))) {
      if (!(await dropEvent(tx, lease, event.id))) continue;
      for (const notice of notices)
        if (!(await knowsAlready(tx, notice.user_id, notice.kind, notice.link ?? '')))
          await notify(tx, notice);
    }
  },
  release: giveBackEvents,
  tidy: async () => undefined,
});

async function noticesOf(app: App, event: NoticeEvent, people: readonly Person[]): Promise<Notice[]> {
  const { kind } = event;
  const only = await concerned(app, event);
  const notices: Notice[] = [];
  for (const person of people)
    if ((only === null || only === person.id) && choicesOf(person.choices)[kind] !== 'off') {
      const said = await saidTo(app, event, person);
      if (said) notices.push({ user_id: person.id, kind, ...said, at: app.clock.now() });
    }
  return notices;
}

/** One of them, where it concerns one; `no one` where it is their own doing. Null: whoever can act on it. */
async function concerned(
  { database }: App,
  { noun, subject_id, user_id }: NoticeEvent,
): Promise<string | null> {
  const db = database.reader;
  if (subject_id !== null && noun === 'thread') return assigneeOf(db, subject_id);
  if (subject_id !== null && user_id !== null)
    return (await tookItself(db, subject_id, user_id)) ? 'no one' : user_id;
  return null;
}

/** As it is called where they may read it; null where they may not, or could not act on it. */
async function saidTo(app: App, { noun, subject_id }: NoticeEvent, { id, name }: Person) {
  const db = app.database.reader;
  const by = { kind: 'person', id, name } as const;
  const caller = await callerNow(
    db,
    { by, token: null },
    { turn: 'direct', surface: 'pass' },
    app.clock.now(),
  );
  if (!caller || !couldAllow(caller.rights, NOTICE_ACTION[noun])) return null;
  if (noun === 'events' || subject_id === null) return NOTICE.events({ id: '', key: null, title: '' });
  const called = (await calledOf(db, caller, [{ noun, id: subject_id }])).get(`${noun} ${subject_id}`);
  return called ? NOTICE[noun](called) : null;
}
