// Uploads in progress. Each is held whole until its act is done, so what is bounded is what all of them hold together: whoever
// sends slowly holds little, and keeps no one else's file out. One of each user, and it must have arrived within the deadline
// of every request.
import type { IncomingMessage } from 'node:http';
import { accountOf, type Caller } from '../kernel/caller.ts';
import { Refusal } from '../kernel/refusal.ts';
import { openCount } from './open-count.ts';

/** Three of the largest. */
const MOST_HELD_BYTES = 160 * 1024 * 1024;
const MOST_AT_ONCE = 64;

/** A body below this is no file that anything waits for. */
const SMALL_BYTES = 64 * 1024;

const busy = (): Refusal =>
  new Refusal(503, 'unavailable', 'too many uploads are in progress: try again in a few seconds', {
    retry_after: 5,
  });

/** Tells of bytes that have arrived and are held; throws 503 where all files together hold too much. */
export type Hold = (bytes: number) => void;

export type Uploads = <T>(caller: Caller, work: (hold: Hold) => Promise<T>) => Promise<T>;

export function openUploads(): Uploads {
  const count = openCount({
    of_one: 1,
    of_all: MOST_AT_ONCE,
    yours: () =>
      new Refusal(
        429,
        'rate_limited',
        'you are already uploading a file: wait until it finishes, then send the next one',
        { retry_after: 5 },
      ),
    everybodys: busy,
  });
  let held = 0;
  return (caller, work) =>
    count(accountOf(caller), async () => {
      let mine = 0;
      try {
        return await work((bytes) => {
          if (held + bytes > MOST_HELD_BYTES) throw busy();
          held += bytes;
          mine += bytes;
        });
      } finally {
        held -= mine;
      }
    });
}

/** Whether a body may be a file, by what it says of itself before it is read. */
export function isLarge({ headers }: IncomingMessage): boolean {
  const announced = headers['content-length'];
  return announced === undefined
    ? headers['transfer-encoding'] !== undefined
    : Number(announced) > SMALL_BYTES;
}
