// Reads one folder of a mailbox from where it was last read to its end: each mail and the new position in one act.
import { after, DAY_MS, MINUTE_MS } from '../../../kernel/clock.ts';
import type { App } from '../../../kernel/app.ts';
import { IMAP_LIMITS } from '../../../mail/imap/session.ts';
import type { Folder, ImapSession, MailFacts } from '../../../mail/imap/steps.ts';
import { ImapBroken } from '../../../mail/imap/trouble.ts';
import { deliveredToIn } from './head.rules.ts';
import { type FolderRole, type Inbound, MAIL_IN, mailKey } from './inbound.store.ts';
import { mailRoom } from './room.ts';
import {
  type MailboxHand,
  polledAt,
  type Position,
  positionsOf,
  saveBeginning,
  saveMail,
  saveStuck,
} from './watch.store.ts';

export type FolderReading = {
  app: App;
  session: ImapSession;
  mailbox: { id: string; created_at: Date };
  lease: string;
};

/** Of a mailbox that is new here no more is read than this: years of old mail are no one's answers. */
const BACK_MS = 3 * DAY_MS;
/** After a folder was numbered again, back to well before it was last read. */
const OVERLAP_MS = DAY_MS;
/** Two machines' clocks, and dates without fractions of a second. */
const CLOCKS_MS = 10 * MINUTE_MS;

const AT_ONCE = 50;
/** A mail that broke the connection so often is passed over, and is as broken. */
const MOST_TRIES = 5;
/** Of what was sent from there only the head is asked for: whether it is a letter of ours. */
const SENT_BYTES = 256 * 1024;

const handOf = ({ app, mailbox, lease }: FolderReading): MailboxHand => ({
  identity_id: mailbox.id,
  lease,
  now: app.clock.now(),
});

/** `folder` is open. */
export async function readFolder(reading: FolderReading, role: FolderRole, folder: Folder): Promise<void> {
  const position = await positionIn(reading, role, folder);
  for (;;) {
    const uids = await reading.session.uidsAfter(position.last_uid);
    if (uids.length === 0) return;
    for (let from = 0; from < uids.length; from += AT_ONCE)
      await readSome(reading, position, uids.slice(from, from + AT_ONCE));
  }
}

/** Where a folder that is new here, or was numbered again, is read from. What is known already is known by its bytes. */
async function positionIn(
  reading: FolderReading,
  role: FolderRole,
  { path, uid_validity, uid_next }: Folder,
): Promise<Standing> {
  const { app, session, mailbox } = reading;
  const { reader } = app.database;
  const known = (await positionsOf(reader, mailbox.id)).find((each) => each.role === role);
  if (isOf(known, path, uid_validity)) return { ...known };
  const now = app.clock.now();
  const polled = await polledAt(reader, mailbox.id);
  const back = Math.min(after(now, -BACK_MS).getTime(), after(polled ?? now, -OVERLAP_MS).getTime());
  const from_at = after(new Date(Math.max(back, mailbox.created_at.getTime())), -CLOCKS_MS);
  const [first] = await session.uidsSince(from_at);
  const last_uid = Math.max(0, (first ?? uid_next) - 1);
  const beginning = { folder: path, uid_validity, last_uid, from_at };
  await app.database.transact((tx) => saveBeginning(tx, handOf(reading), role, beginning));
  return { role, ...beginning, stuck_uid: null, stuck_attempts: 0 };
}

type Standing = Position & { uid_validity: string; from_at: Date };

const isOf = (known: Position | undefined, path: string, uid_validity: string): known is Standing =>
  known !== undefined &&
  known.folder === path &&
  known.uid_validity === uid_validity &&
  known.from_at !== null;

async function readSome(reading: FolderReading, position: Standing, uids: readonly number[]): Promise<void> {
  const { app, session } = reading;
  const { role, uid_validity, from_at } = position;
  const facts = new Map((await session.factsOf(uids)).map((each) => [each.uid, each]));
  const save = async (uid: number, mail: Inbound | null): Promise<void> => {
    const isNew = await app.database.transact((tx) =>
      saveMail(tx, handOf(reading), { role, uid_validity, uid }, mail),
    );
    position.last_uid = uid;
    if (isNew) app.database.tell([{ topic: MAIL_IN, id: '' }]);
  };
  for (const uid of uids) {
    const of = facts.get(uid);
    // Gone meanwhile, or older than what is of concern: an old mail that was moved here has a new number.
    if (!of || (of.received_at !== null && of.received_at < from_at)) continue;
    // No more than is fetched of it, whatever its server says of its length.
    const leave = await mailRoom.take(
      Math.min(of.size, role === 'sent' ? SENT_BYTES : IMAP_LIMITS.mailBytes),
    );
    try {
      await save(uid, await mailOf(reading, position, of));
    } finally {
      leave();
    }
  }
  const last = uids.at(-1);
  if (last !== undefined && last > position.last_uid) await save(last, null);
}

/** Null: it is gone. */
async function mailOf(
  reading: FolderReading,
  { role, uid_validity, stuck_uid, stuck_attempts }: Standing,
  { uid, size, received_at }: MailFacts,
): Promise<Inbound | null> {
  const { app, session, mailbox } = reading;
  const now = app.clock.now();
  const common = {
    source: 'imap',
    identity_id: mailbox.id,
    folder_role: role,
    received_at: received_at !== null && received_at < now ? received_at : now,
  } as const;
  if (uid === stuck_uid && stuck_attempts >= MOST_TRIES)
    return {
      ...common,
      key: `imap:${mailbox.id}:${role}:${uid_validity}:${uid}`,
      delivered_to: [],
      bytes: Buffer.alloc(0),
      cut: true,
      broken:
        'The mail server broke off at this mail each time it was asked for: look at it in the mailbox itself.',
    };
  const bytes = await session
    .bytesOf(uid, role === 'sent' ? SENT_BYTES : undefined)
    .catch(async (error: unknown) => {
      if (error instanceof ImapBroken)
        await app.database.transact((tx) => saveStuck(tx, handOf(reading), role, uid));
      throw error;
    });
  if (bytes === null) return null;
  return {
    ...common,
    key: mailKey(mailbox.id, bytes),
    delivered_to: deliveredToIn(bytes),
    bytes,
    cut: size > bytes.byteLength,
    broken: null,
  };
}
