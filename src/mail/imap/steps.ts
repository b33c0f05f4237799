// The few commands sent to an open mailbox, each with its own deadline and size limit, and waiting for new mail
// (IDLE). Only `append` changes anything: folders are opened read-only.
import type { ImapFlow } from 'imapflow';
import { SECOND_MS } from '../../kernel/clock.ts';
import type { ImapLimits } from './session.ts';
import { ImapBroken, troubleOf } from './trouble.ts';

export type Folder = { path: string; uid_validity: string; uid_next: number };
export type Listed = { sent: string | null; junk: string | null };
/** `received_at`: when it came into that mailbox; null where the server does not say. */
export type MailFacts = { uid: number; size: number; received_at: Date | null };

/** Every question throws `ImapBroken` where it was not answered as it must be; the session is over then. */
export type ImapSession = {
  /** Where this host keeps what was sent, and what it holds for junk (RFC 6154); null where it says so of none. */
  specialFolders(): Promise<Listed>;
  /** Without opening it. */
  standing(path: string): Promise<Folder>;
  /** From here on the questions are about this one, and so is the waiting. */
  open(path: string): Promise<Folder>;
  /** Ascending: those after this one. */
  uidsAfter(uid: number): Promise<number[]>;
  /** Ascending: those that arrived on the day of this moment or later, by a day more for the sake of zones. */
  uidsSince(moment: Date): Promise<number[]>;
  /** Of a few; those that are gone meanwhile are not in it. */
  factsOf(uids: readonly number[]): Promise<MailFacts[]>;
  /** The mail's bytes, or its beginning where it is longer than this; null: it is gone. */
  bytesOf(uid: number, limitBytes?: number): Promise<Buffer | null>;
  /** Whether the open folder has a mail with this Message-ID. */
  holds(message_id: string): Promise<boolean>;
  /** Saves a mail that was read already, and leaves the open folder. The one thing that changes a mailbox. */
  append(path: string, mail: Buffer, received_at: Date): Promise<void>;
  /** Until the open folder changed, or the signal. */
  wait(signal: AbortSignal): Promise<void>;
  close(): void;
};

/** A server that ends IDLE on its own is asked again after this. */
const AGAIN_MS = 2 * SECOND_MS;
const LOOK_EVERY_MS = 250;
const GOODBYE_MS = SECOND_MS;

export function sessionOver(client: ImapFlow, limits: ImapLimits): ImapSession {
  let changed = false;
  let stir = (): void => undefined;
  client.on('exists', () => {
    changed = true;
    stir();
  });
  client.on('close', () => stir());

  /** A host that answers byte by byte, or without end, is left. */
  const step = async <T>(
    work: () => Promise<T>,
    ms = limits.stepMs,
    bytes = limits.stepBytes,
  ): Promise<T> => {
    const { promise: broken, reject } = Promise.withResolvers<never>();
    const from = client.stats().received;
    const end = (error: ImapBroken): void => {
      reject(error);
      client.close();
    };
    const timer = setTimeout(() => end(new ImapBroken('timeout')), ms);
    const meter = setInterval(() => {
      if (client.stats().received - from > bytes) end(new ImapBroken('too_much'));
    }, LOOK_EVERY_MS);
    try {
      return await Promise.race([work(), broken]);
    } catch (error) {
      throw new ImapBroken(troubleOf(error));
    } finally {
      clearTimeout(timer);
      clearInterval(meter);
    }
  };

  /** The library answers some questions that were refused with nothing. */
  const must = <T>(answer: T | false | undefined | null): T => {
    if (answer === false || answer === undefined || answer === null)
      throw new ImapBroken(client.usable ? 'protocol' : 'dropped');
    return answer;
  };

  const ascending = (uids: readonly number[]): number[] =>
    [...new Set(uids.filter((uid) => Number.isSafeInteger(uid) && uid > 0))].toSorted((a, b) => a - b);

  const folder = (path: string, uid_validity: bigint | undefined, uid_next: number | undefined): Folder => ({
    path,
    uid_validity: String(must(uid_validity)),
    uid_next: must(uid_next),
  });

  return {
    specialFolders: () =>
      step(async () => {
        const listed = await client.list();
        const pathOf = (use: string) => listed.find(({ specialUse }) => specialUse === use)?.path ?? null;
        return { sent: pathOf('\\Sent'), junk: pathOf('\\Junk') };
      }),
    standing: (path) =>
      step(async () => {
        const { uidValidity, uidNext } = must(
          await client.status(path, { uidNext: true, uidValidity: true }),
        );
        return folder(path, uidValidity, uidNext);
      }),
    open: (path) =>
      step(async () => {
        const opened = await client.mailboxOpen(path, { readOnly: true }).catch((error: unknown) => {
          // The one refusal that means something: there is no such folder, or none that may be read.
          throw error instanceof Error && 'responseStatus' in error && error.responseStatus === 'NO'
            ? new ImapBroken('folder')
            : error;
        });
        changed = false;
        return folder(path, opened.uidValidity, opened.uidNext);
      }),
    uidsAfter: (uid) =>
      step(async () => {
        changed = false;
        const found = must(await client.search({ uid: `${uid + 1}:*` }, { uid: true }));
        // `n:*` is never empty: it holds the last one even where that comes before n (RFC 3501 section 6.4.8).
        return ascending(found).filter((each) => each > uid);
      }),
    uidsSince: (moment) =>
      step(async () => {
        const day = new Date(moment.getTime() - 24 * 3600 * SECOND_MS);
        return ascending(must(await client.search({ since: day }, { uid: true })));
      }),
    factsOf: (uids) =>
      step(async () => {
        const facts = await client.fetchAll(
          uids.join(','),
          { uid: true, size: true, internalDate: true },
          { uid: true },
        );
        return facts.map(({ uid, size, internalDate }) => ({
          uid,
          size: size ?? 0,
          received_at: momentIn(internalDate),
        }));
      }),
    async bytesOf(uid, limitBytes = limits.mailBytes) {
      const most = Math.min(limitBytes, limits.mailBytes);
      return step(
        async () => {
          const mail = await client.fetchOne(
            String(uid),
            { uid: true, source: { start: 0, maxLength: most } },
            { uid: true },
          );
          // A host that gives more than it was asked for.
          return mail ? (mail.source?.subarray(0, most) ?? null) : null;
        },
        limits.mailMs,
        most + limits.stepBytes,
      );
    },
    holds: (message_id) =>
      step(async () => {
        const found = must(await client.search({ header: { 'message-id': message_id } }, { uid: true }));
        return found.length > 0;
      }),
    append: (path, mail, received_at) =>
      step(async () => {
        // Beside a folder that is open to be read, the library drops every flag.
        if (client.mailbox) must(await client.mailboxClose());
        const saved = await client.append(path, mail, ['\\Seen'], received_at).catch((error: unknown) => {
          const refused =
            error instanceof Error &&
            (('responseStatus' in error && error.responseStatus === 'NO') ||
              ('serverResponseCode' in error && error.serverResponseCode === 'APPENDLIMIT'));
          throw refused ? new ImapBroken('not_saved') : error;
        });
        if (saved === false) throw new ImapBroken(client.usable ? 'not_saved' : 'dropped');
      }, limits.mailMs),
    async wait(signal) {
      while (!changed && !signal.aborted && client.usable) {
        const { promise, resolve } = Promise.withResolvers<void>();
        stir = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true });
        void client
          .idle()
          .catch(() => undefined)
          .then(() => setTimeout(resolve, AGAIN_MS));
        await promise;
        stir = () => undefined;
      }
      if (!client.usable && !signal.aborted) throw new ImapBroken('dropped');
    },
    close() {
      // Not waited for, and cut off soon: a goodbye is a courtesy.
      const timer = setTimeout(() => client.close(), GOODBYE_MS);
      void client
        .logout()
        .catch(() => undefined)
        .finally(() => {
          clearTimeout(timer);
          client.close();
        });
    },
  };
}

function momentIn(said: Date | string | undefined): Date | null {
  const at = new Date(said ?? Number.NaN);
  return Number.isNaN(at.getTime()) ? null : at;
}
