// Follows the running turn over its stream, and reopens the stream from the beginning after a break.
import { useEffect, useState } from 'react';
import { heardOf, type LiveTurn } from '../turn/live.rules.ts';
import type { ChatEvent } from '../../../inbox/threads/chat.contract.ts';

export type Following = {
  /** Of this conversation; null where none was followed since the screen opened. */
  live: LiveTurn | null;
  /** A turn that was begun here just now. */
  begun: (turn: LiveTurn) => void;
};

export function useFollow(thread_id: string | undefined, runs: boolean): Following {
  const [kept, setKept] = useState<LiveTurn | null>(null);
  const live = kept?.thread_id === thread_id ? kept : null;
  const follows = thread_id !== undefined && (live ? live.state === 'running' : runs);
  useEffect(() => {
    if (!follows || thread_id === undefined) return;
    const source = new EventSource(`/api/threads/${encodeURIComponent(thread_id)}/attach`);
    source.addEventListener('message', (event: MessageEvent<string>) => {
      const changes = JSON.parse(event.data) as ChatEvent;
      setKept((before) => heardOf(before?.thread_id === thread_id ? before : null, changes));
    });
    return () => source.close();
  }, [thread_id, follows]);
  return { live, begun: setKept };
}
