// The keyboard: one listener for the page, a registry of what keys do now, and sequences such as `g` then `b`. The sheet of
// keys (`?`) shows exactly what is registered. Keys are silent while someone types and while a dialog is open.
import { useLayoutEffect, useRef, useSyncExternalStore } from 'react';

export type KeyBinding = {
  /** `j`, `Enter`, `g b` (one after the other), `mod+k` (⌘ or Ctrl, which also works while typing). */
  keys: string;
  does: string;
  /** The heading it is under in the sheet. */
  group: string;
  run: (event: KeyboardEvent) => void;
  /** A second spelling that the sheet leaves out. */
  silent?: boolean;
};

const SEQUENCE_MS = 1_200;
let bindings: KeyBinding[] = [];
/** Those of them that are heard now. */
let heard = bindings;
let silences = 0;
let pressed = '';
let pressedAt = 0;
const listeners = new Set<() => void>();

/** Letters act on what a screen shows. */
const LETTER = /^[a-z]$/i;

const tellAll = (): void => {
  heard = silences > 0 ? bindings.filter(({ keys }) => !LETTER.test(keys)) : bindings;
  for (const listener of listeners) listener();
};

/** Into a box that is ticked, or one of several choices, no one types. */
const typing = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches('input:not([type=checkbox], [type=radio], [type=file]), textarea, select'));

/** Arrows and Space move within a choice. */
const chooses = ({ key, target }: KeyboardEvent): boolean =>
  target instanceof HTMLInputElement && target.type === 'radio' && (key.startsWith('Arrow') || key === ' ');

/** A list of choices is in the page, unseen, while it is closed. */
const dialogOpen = (): boolean =>
  [...document.querySelectorAll('[role="dialog"][aria-modal="true"], [role="menu"], [role="listbox"]')].some(
    (one) => one.checkVisibility(),
  );

/** Enter and Space belong to the control that has the focus, save a row of a list, which asks for them. */
const ownKey = (event: KeyboardEvent): boolean =>
  (event.key === 'Enter' || event.key === ' ') &&
  event.target instanceof HTMLElement &&
  ['BUTTON', 'A', 'SUMMARY', 'INPUT'].includes(event.target.tagName);

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || event.altKey) return;
  const mod = event.metaKey || event.ctrlKey;
  const name = mod ? `mod+${event.key.toLowerCase()}` : event.key;
  if (!mod && (typing(event.target) || chooses(event) || dialogOpen() || ownKey(event))) return;
  const chord = event.timeStamp - pressedAt < SEQUENCE_MS && pressed ? `${pressed} ${name}` : '';
  // The newest registration of a key wins: a screen's over the shell's.
  const found =
    (chord && heard.findLast((one) => one.keys === chord)) || heard.findLast((one) => one.keys === name);
  const begins = heard.some((one) => one.keys.startsWith(`${name} `));
  pressed = !found && begins ? name : '';
  pressedAt = event.timeStamp;
  if (!found) return;
  event.preventDefault();
  found.run(event);
}

/** Registers keys while the component exists. The array may be made again on every render. */
export function useKeys(given: KeyBinding[], enabled = true): void {
  const latest = useRef(given);
  // With what is drawn, not after it: whoever sees a row can walk to it.
  useLayoutEffect(() => {
    latest.current = given;
  });
  const shape = given.map((one) => `${one.keys}|${one.does}`).join('\n');
  useLayoutEffect(() => {
    if (!enabled) return;
    const mine = latest.current.map((one, i) => ({
      ...one,
      run: (event: KeyboardEvent) => latest.current[i]?.run(event),
    }));
    if (bindings.length === 0) document.addEventListener('keydown', onKeyDown);
    bindings = [...bindings, ...mine];
    tellAll();
    return () => {
      bindings = bindings.filter((one) => !mine.includes(one));
      if (bindings.length === 0) document.removeEventListener('keydown', onKeyDown);
      tellAll();
    };
  }, [shape, enabled]);
}

/** Keeps the keys of what is not shown from acting on it: someone may not read it. */
export function useSilence(on: boolean): void {
  useLayoutEffect(() => {
    if (!on) return;
    silences += 1;
    tellAll();
    return () => {
      silences -= 1;
      tellAll();
    };
  }, [on]);
}

export const useBindings = (): KeyBinding[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => heard,
  );

export const isMac = (): boolean => /mac|iphone|ipad/i.test(navigator.platform);

/** How a key is written for people: `⌘K`, `g b`, `↵`. */
export const spelled = (keys: string): string[] =>
  keys.split(' ').map((key) =>
    key
      .replace('mod+', isMac() ? '⌘' : 'Ctrl ')
      .replace('Enter', '↵')
      .replace('ArrowDown', '↓')
      .replace('ArrowUp', '↑')
      .replace('Escape', 'Esc')
      .replace(/^Ctrl (.)$/, (_, k: string) => `Ctrl ${k.toUpperCase()}`)
      .replace(/^⌘(.)$/, (_, k: string) => `⌘${k.toUpperCase()}`),
  );
