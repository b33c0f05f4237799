// News for open screens: one listening connection a process, handed on to everybody who follows. After the connection was
// lost and came back, followers hear `everything`, since what was told in between is gone.
import type postgres from 'postgres';
import type { News, Newsroom } from '../kernel/house.ts';
import type { Parsed } from '../kernel/ground.ts';
import { NEWS_CHANNEL } from './ground.ts';

/** A follower that reads slower than this many news behind is told `everything` instead, so that memory stays bounded. */
const MOST_WAITING = 200;

export const EVERYTHING: News = { topic: 'everything', id: '' };

export async function openNewsroom(writer: postgres.Sql<Parsed>): Promise<Newsroom & { close(): Promise<void> }> {
  const followers = new Set<(news: News) => void>();
  let listening = false;
  const hand = (news: News): void => followers.forEach((tell) => tell(news));
  const { unlisten } = await writer.listen(
    NEWS_CHANNEL,
    (text) => hand(JSON.parse(text) as News),
    () => {
      // The driver listens again by itself; the first time nothing was missed.
      if (listening) hand(EVERYTHING);
      listening = true;
    },
  );
  return {
    follow: (signal) => follow(followers, signal),
    close: async () => {
      await unlisten();
    },
  };
}

async function* follow(followers: Set<(news: News) => void>, signal: AbortSignal): AsyncGenerator<News> {
  let waiting: News[] = [];
  let wake: () => void = () => undefined;
  const hear = (news: News): void => {
    waiting = waiting.length >= MOST_WAITING ? [EVERYTHING] : [...waiting, news];
    wake();
  };
  const stop = (): void => wake();
  followers.add(hear);
  signal.addEventListener('abort', stop);
  try {
    while (!signal.aborted) {
      if (waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      const ready = waiting;
      waiting = [];
      yield* ready;
    }
  } finally {
    followers.delete(hear);
    signal.removeEventListener('abort', stop);
  }
}
