// The setting that the address names is brought into view and lit for a moment, wherever on its page it exists.
import { useEffect } from 'react';

const SOUGHT_MS = 10_000;
const HEADS = 'h2, h3, label, legend, [role="tab"]';

const named = (frame: HTMLElement, name: string): HTMLElement | undefined =>
  [...frame.querySelectorAll<HTMLElement>(HEADS)].find((head) => head.textContent?.trim() === name);

/** `at` changes whenever someone asks for the same setting once more. */
export function useLit(frame: HTMLElement | null, name: string, at: unknown): void {
  useEffect(() => {
    if (!frame || name === '') return;
    let lit: HTMLElement | undefined;
    const light = (): boolean => {
      lit = named(frame, name);
      lit?.scrollIntoView({ block: 'center' });
      lit?.setAttribute('data-lit', '');
      return lit !== undefined;
    };
    // Its page may still be on its way.
    const watch = new MutationObserver(() => {
      if (light()) watch.disconnect();
    });
    if (!light()) watch.observe(frame, { childList: true, subtree: true });
    const end = setTimeout(() => watch.disconnect(), SOUGHT_MS);
    return () => {
      clearTimeout(end);
      watch.disconnect();
      lit?.removeAttribute('data-lit');
    };
  }, [frame, name, at]);
}
