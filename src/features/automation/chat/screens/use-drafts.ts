// Unsent text of each conversation, kept while the app is open.
import { useState } from 'react';

const NEW = 'new';
let kept: Readonly<Record<string, string>> = {};

export type Drafts = {
  of: (thread_id: string | undefined) => string;
  write: (thread_id: string | undefined, text: string) => void;
  /** What could not be sent, before what was written meanwhile. */
  putBack: (thread_id: string | undefined, message: string) => void;
};

export function useDrafts(): Drafts {
  const [, draw] = useState(kept);
  const write = (thread_id: string | undefined, text: string): void => {
    kept = { ...kept, [thread_id ?? NEW]: text };
    draw(kept);
  };
  const of = (thread_id: string | undefined): string => kept[thread_id ?? NEW] ?? '';
  return {
    of,
    write,
    putBack: (thread_id, message) =>
      write(thread_id, [message, of(thread_id)].filter((each) => each.trim() !== '').join('\n\n')),
  };
}
