// Moves the focus to elements that may not be drawn yet, at the speed of the keyboard.
import { useState } from 'react';

/**
 * At once where it exists, so that a key pressed in the same breath finds it there; otherwise once what was just asked for is
 * drawn, before the next key is heard, or after the next frame. It is brought into view by no more than it needs: `frame` is
 * what must be seen of it, itself where nothing is said.
 */
export function focusOn(find: () => HTMLElement | null, frame?: string): void {
  const land = (): boolean => {
    const found = find();
    found?.focus({ preventScroll: true });
    (frame ? found?.closest(frame) : found)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    return found !== null && found === document.activeElement;
  };
  if (!land()) queueMicrotask(() => land() || requestAnimationFrame(land));
}

/**
 * What the address says is open, and what it is about to say: the address changes a moment after it was asked to, and the next
 * key has to go on from where this one went.
 */
export function useOpened(
  inAddress: string | undefined,
): [opened: string | undefined, opening: (next: string | undefined) => void] {
  const [going, setGoing] = useState<{ from: string | undefined; to: string | undefined } | null>(null);
  const onItsWay = going !== null && going.from === inAddress;
  if (going !== null && !onItsWay) setGoing(null);
  return [onItsWay ? going.to : inAddress, (to) => setGoing({ from: inAddress, to })];
}
