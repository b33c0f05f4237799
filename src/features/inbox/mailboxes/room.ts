// Room in the process for mail on its way from a mailbox to its row. Hundreds of mailboxes may each have a long mail at the
// same moment, as after an hour without a network: together they hold no more than there is room for.

/** Several copies of a mail are in memory while it is fetched and stored. */
const MOST_BYTES = 64 * 1024 * 1024;

export type Room = {
  /** Gives what gives the room back. Whoever waits longest is next; what is longer than all of it goes alone. */
  take(bytes: number): Promise<() => void>;
};

export function openRoom(most: number): Room {
  const waiting: { bytes: number; enter: () => void }[] = [];
  let free = most;
  const admit = (): void => {
    for (let next = waiting[0]; next && next.bytes <= free; next = waiting[0]) {
      waiting.shift();
      free -= next.bytes;
      next.enter();
    }
  };
  return {
    take(asked) {
      const bytes = Math.min(Math.max(asked, 0), most);
      const { promise, resolve } = Promise.withResolvers<() => void>();
      const leave = (): void => {
        free += bytes;
        admit();
      };
      waiting.push({ bytes, enter: () => resolve(leave) });
      admit();
      return promise;
    },
  };
}

/** Of this process. */
export const mailRoom = openRoom(MOST_BYTES);
