// Watches one mailbox for as long as this process holds its lease: reads what is there, then waits for the server to say that
// something came (IDLE). Each mailbox has its own connection and its own course, so that a slow one delays no other.
import { after, MINUTE_MS } from '../../../kernel/clock.ts';
import type { App } from '../../../kernel/app.ts';
import type { Held } from '../../../kernel/watch.ts';
import { openImap } from '../../../mail/imap/session.ts';
import type { ImapSession } from '../../../mail/imap/steps.ts';
import { IMAP_SAYS, ImapBroken, type ImapTrouble } from '../../../mail/imap/trouble.ts';
import { imapOptions, receivingAccount } from '../../outreach/identities/ways/receiving.store.ts';
import { nextTry } from '../../../mail/imap/backoff.ts';
import { type FolderReading, readFolder } from './reading.ts';
import {
  type MailboxHand,
  LeaseLost,
  positionsOf,
  saveRead,
  saveTrouble,
  type WatchedMailbox,
} from './watch.store.ts';

/** How often the folders that no one waits on are looked at, and whether the line still exists. */
const LOOK_EVERY_MS = MINUTE_MS;
/** Screens that show an identity read it again. */
const IDENTITIES = 'identities';

const NO_PASSWORD = 'No password of the mailbox is stored that opens here: save it again with the identity.';
const FAILED_HERE =
  'Reading this mailbox failed here: it is tried again by itself; ask the operator to look at the log.';

export function beginMailbox(app: App, mailbox: WatchedMailbox, lease: string): Held {
  const ending = new AbortController();
  const turns: Turns = { nudge: new AbortController(), look_at: app.clock.now() };
  return {
    ended: watchMailbox(app, { ...mailbox }, lease, ending.signal, turns),
    look() {
      if (app.clock.now() >= turns.look_at) turns.nudge.abort();
    },
    end: () => ending.abort(),
  };
}

type Turns = { nudge: AbortController; look_at: Date };

async function watchMailbox(
  app: App,
  mailbox: WatchedMailbox,
  lease: string,
  ending: AbortSignal,
  turns: Turns,
): Promise<void> {
  const hand = (): MailboxHand => ({ identity_id: mailbox.id, lease, now: app.clock.now() });
  const inTrouble = async (trouble: ImapTrouble | null, sentence: string): Promise<void> => {
    const attempts = mailbox.attempts + 1;
    const due_at = nextTry(trouble, attempts, app.clock.now(), Math.random());
    // Connections end now and then, and mean nothing while the next one exists.
    const says = trouble === 'dropped' && attempts === 1 ? null : sentence;
    await app.database.transact((tx) => saveTrouble(tx, hand(), { sentence: says, attempts, due_at }));
    app.database.tell([{ topic: IDENTITIES, id: mailbox.id }]);
  };
  try {
    const account = await receivingAccount(app.database.reader, app.sealer, mailbox.id);
    if (account === null) return;
    if (account.password === null) return await inTrouble(null, NO_PASSWORD);
    const opened = await openImap(imapOptions(app, account.settings, account.password), ending);
    if (ending.aborted) return opened.ok ? opened.session.close() : undefined;
    if (!opened.ok) return await inTrouble(opened.trouble, opened.sentence ?? IMAP_SAYS[opened.trouble]);
    const { session } = opened;
    ending.addEventListener('abort', () => session.close());
    try {
      await follow({ app, session, mailbox, lease }, account.settings.mailbox, ending, turns, async () => {
        mailbox.attempts = 0;
        const wasInTrouble = await app.database.transact((tx) => saveRead(tx, hand()));
        if (wasInTrouble) app.database.tell([{ topic: IDENTITIES, id: mailbox.id }]);
      });
    } finally {
      session.close();
    }
  } catch (error) {
    if (error instanceof LeaseLost || ending.aborted) return;
    const known = error instanceof ImapBroken;
    if (!known) app.log.error({ err: error, identity: mailbox.id }, 'a mailbox could not be read');
    const said = known ? inTrouble(error.trouble, IMAP_SAYS[error.trouble]) : inTrouble(null, FAILED_HERE);
    // Where not even that can be written down, the lease runs out and it is tried again.
    await said.catch((err: unknown) =>
      err instanceof LeaseLost ? undefined : app.log.error({ err }, 'a mailbox’s trouble could not be kept'),
    );
  }
}

/** Until it is ended, or the session breaks. */
async function follow(
  reading: FolderReading,
  path: string,
  ending: AbortSignal,
  turns: Turns,
  wasRead: () => Promise<void>,
): Promise<void> {
  const { app, session } = reading;
  while (!ending.aborted) {
    turns.nudge = new AbortController();
    if (app.clock.now() >= turns.look_at) {
      await lookAround(reading, path);
      turns.look_at = after(app.clock.now(), LOOK_EVERY_MS);
      await wasRead();
    }
    // Opened last: it is the one that is waited on.
    await readFolder(reading, 'inbox', await session.open(path));
    await wasRead();
    await session.wait(AbortSignal.any([ending, turns.nudge.signal]));
  }
}

async function lookAround(reading: FolderReading, inbox: string): Promise<void> {
  const { app, session, mailbox } = reading;
  await readFolder(reading, 'inbox', await session.open(inbox));
  const special = await session.specialFolders();
  const known = await positionsOf(app.database.reader, mailbox.id);
  for (const role of ['sent', 'junk'] as const) {
    const path = special[role];
    if (path === null || path === inbox) continue;
    const at = known.find((each) => each.role === role);
    if (at?.folder === path && (await isRead(session, path, at))) continue;
    await readFolder(reading, role, await session.open(path));
  }
}

async function isRead(
  session: ImapSession,
  path: string,
  { uid_validity, last_uid }: { uid_validity: string | null; last_uid: number },
): Promise<boolean> {
  const standing = await session.standing(path);
  return standing.uid_validity === uid_validity && standing.uid_next <= last_uid + 1;
}
