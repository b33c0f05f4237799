// The text of a field on the screen. It is kept until it is saved or undone, whatever updates arrive: Enter or leaving the field
// saves, Escape undoes, and leaving the screen saves. While the server is away it waits and is saved once the server is back.
import {
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type ChangeEvent,
  type KeyboardEvent,
} from 'react';
import { answers, back } from '../client/reach.ts';
import { tell } from '../client/toast.ts';
import { markOf, useLeaveGuard } from './leave.ts';

/**
 * True once nothing of it is left to save; false where it was refused, and the field keeps it. `from` is what was there when
 * the typing began; undefined where that was the field's own save, still under way.
 */
export type SaveDraft = (text: string, from: string | undefined) => Promise<boolean> | boolean;

type Typed = { text: string; from: string | undefined; at: 'typing' | 'saving' | 'refused' | 'waiting' };

export type Draft = {
  /** What the field shows. */
  text: string;
  /** Wires the input. */
  input: {
    value: string;
    title: string | undefined;
    'aria-invalid': true | undefined;
    /** Escape undoes what is typed, and does not close what the field is in. */
    'data-mantine-stop-propagation': true | undefined;
    'data-unsaved': string;
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => void;
    onBlur: () => void;
    onKeyDown: (event: KeyboardEvent<HTMLInputElement | HTMLTextAreaElement>) => void;
  };
};

const UNSAVED = 'Not saved yet. Press Enter to retry or Escape to undo.';
const WAITING = 'Not saved yet. It’s saved as soon as Dunnock responds.';

let waiting = 0;
const listeners = new Set<() => void>();

function count(by: 1 | -1): void {
  waiting += by;
  for (const listener of listeners) listener();
}

/** Whether something that was typed waits for the product to be saved. */
export const useUnsent = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => waiting > 0,
  );

export function useDraft(value: string, save: SaveDraft): Draft {
  const id = useId();
  const [typed, setTyped] = useState<Typed | null>(null);
  // Read by what outlives a rendering: an answer that comes late, and the end of the screen.
  const now = useRef({ typed, save });
  useLayoutEffect(() => void (now.current.save = save));
  const put = (next: Typed | null): void => {
    now.current.typed = next;
    setTyped(next);
  };
  const send = async (): Promise<void> => {
    const given = now.current.typed;
    if (!given || given.at === 'saving') return;
    if (given.text === given.from && given.at === 'typing') return put(null);
    const sent: Typed = { ...given, at: 'saving' };
    put(sent);
    const saved = await Promise.resolve(now.current.save(given.text, given.from)).catch(() => false);
    // What was saved is known to the screen within this turn of the loop; until then the field shows what was typed.
    await new Promise((done) => setTimeout(done));
    // Typed on meanwhile: that is newer, and is saved in its own turn.
    if (now.current.typed !== sent) return;
    if (saved) {
      if (given.at === 'waiting') tell('Change saved');
      return put(null);
    }
    const refused: Typed = { ...given, at: 'refused' };
    put(refused);
    if ((await answers()) || now.current.typed !== refused) return;
    const waits: Typed = { ...given, at: 'waiting' };
    put(waits);
    count(1);
    await back().finally(() => count(-1));
    if (now.current.typed === waits) await send();
  };
  /** What was refused is sent again by Enter alone. */
  const left = useEffectEvent((): void => {
    if (now.current.typed?.at === 'typing') void send();
  });
  useEffect(() => () => left(), []);
  useLeaveGuard(typed !== null, {
    id,
    settle: async () => {
      const at = now.current.typed?.at;
      if (at === 'typing') await send();
      // What the product still says nothing to may be long in coming.
      return now.current.typed === null || now.current.typed.at === 'saving';
    },
  });

  const text = typed?.text ?? value;
  return {
    text,
    input: {
      value: text,
      title: typed?.at === 'refused' ? UNSAVED : typed?.at === 'waiting' ? WAITING : undefined,
      'aria-invalid': typed?.at === 'refused' || undefined,
      'data-mantine-stop-propagation': typed !== null || undefined,
      ...markOf(id),
      onChange: (event) => {
        const before = now.current.typed;
        const from = before === null ? value : before.at === 'saving' ? undefined : before.from;
        put({ text: event.currentTarget.value, from, at: 'typing' });
      },
      onBlur: () => {
        if (now.current.typed?.at === 'typing') void send();
      },
      onKeyDown: (event) => {
        if (event.key === 'Enter') {
          // Where lines may break, none is begun by it.
          event.preventDefault();
          void send();
          event.currentTarget.blur();
        }
        if (event.key !== 'Escape' || now.current.typed === null) return;
        event.stopPropagation();
        put(null);
      },
    },
  };
}
