// Protects unsaved text. Every form and composer registers here while it has unsaved changes; shell/leave-guard.ts asks before
// another screen, a closed dialog or a closed page loses them. Forms of `useActForm`, texts of `useDraft`, the Markdown editor
// and text boxes register themselves; any other field calls `useLeaveGuard`.
import { useEffect, useId, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { went } from '../client/call.ts';
import { confirm } from './confirm.ts';

/** By what marks it in the page; what saves it, where leaving saves it: true once nothing is left. */
const held = new Map<string, (() => Promise<boolean>) | null>();

/** On the element around what is typed, so that closing the dialog it is in asks. */
export const markOf = (id: string): { 'data-unsaved': string } => ({ 'data-unsaved': id });

const listeners = new Set<() => void>();
const tell = (): void => {
  for (const listener of listeners) listener();
};

/** Whether anything would be lost. */
export const useUnsaved = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => held.size > 0,
  );

type Guarded = {
  /** Given where the element around it is marked. */
  id?: string;
  settle?: () => Promise<boolean>;
};

/** `unsaved`: something was typed that would be lost. */
export function useLeaveGuard(unsaved: boolean, { id: given, settle }: Guarded = {}): void {
  const own = useId();
  const id = given ?? own;
  const latest = useRef(settle);
  const settles = settle !== undefined;
  // With what is drawn: whoever sees that it was sent may go at once.
  useLayoutEffect(() => void (latest.current = settle));
  useLayoutEffect(() => {
    if (!unsaved) return;
    held.set(id, settles ? async () => (await latest.current?.()) ?? false : null);
    tell();
    return () => letGo(id);
  }, [unsaved, id, settles]);
}

/** Its person gave it up: Cancel, or a question that was answered so. */
export function letGo(id: string): void {
  if (held.delete(id)) tell();
}

/** Text boxes that nothing else guards, with what was in them before someone typed. */
const boxes = new Map<string, { box: HTMLTextAreaElement; before: string }>();
let last = 0;

/** On a text box whose words are there again when someone comes back to it: only reloading the page asks. */
export const KEPT = { 'data-kept': true } as const;

function onTyping({ type, target }: Event): void {
  if (!(target instanceof HTMLTextAreaElement) || target.closest('[data-unsaved]')) return;
  const [id = `box-${(last += 1)}`, known] = [...boxes].find(([, { box }]) => box === target) ?? [];
  if (!known) boxes.set(id, { box: target, before: type === 'beforeinput' ? target.value : '' });
  if (type === 'beforeinput' || held.has(id)) return;
  held.set(id, null);
  tell();
}
addEventListener('beforeinput', onTyping, true);
addEventListener('input', onTyping, true);

/** What an act that went through has saved is no longer at stake in the box that it was typed in. */
function saved(body: string): void {
  for (const [id, { box }] of boxes)
    if ([box.value, box.value.trim()].some((text) => body.includes(JSON.stringify(text)))) forget(id);
}

went.add(saved);

function forget(id: string): void {
  boxes.delete(id);
  letGo(id);
}

/** What would be lost in a part of the page, or in all of it. */
export function unsavedIn(part: Element | null = null): string[] {
  return heldIn(part).filter((id) => !boxes.get(id)?.box.closest('[data-kept]'));
}

function heldIn(part: Element | null): string[] {
  for (const [id, { box, before }] of boxes)
    if (!box.isConnected || box.value.trim() === '' || box.value === before) forget(id);
  const all = [...held.keys()];
  if (!part) return all;
  return all.filter((id) => {
    const box = boxes.get(id)?.box;
    return box ? part.contains(box) : part.querySelector(`[data-unsaved="${CSS.escape(id)}"]`) !== null;
  });
}

/** Whether these may be left: what saves itself is saved first, the rest is asked about once and then let go. */
export async function mayLeave(ids: string[]): Promise<boolean> {
  for (const id of ids) if (await held.get(id)?.()) letGo(id);
  const left = ids.filter((id) => held.has(id));
  if (left.length === 0) return true;
  const yes = await confirm({
    title: 'Leave without saving?',
    says: 'Your unsaved changes will be lost.',
    act: 'Leave',
    tone: 'bad',
  });
  if (yes) left.forEach(letGo);
  return yes;
}

/** Closing or reloading the page asks, by the browser's own question. */
export function useUnloadGuard(): void {
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent): void => {
      if (heldIn(null).length > 0) event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, []);
}
