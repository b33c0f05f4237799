// Digits choose from an open menu, by the entries' `data-digit`.
import { useLayoutEffect, useRef, type RefObject } from 'react';

/** For the menu's dropdown. Heard wherever the focus is: it comes to a menu a moment after the menu is drawn. */
export function useDigits(): RefObject<HTMLDivElement | null> {
  const menu = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!/^[1-9]$/.test(event.key) || event.metaKey || event.ctrlKey || event.altKey) return;
      const entry = menu.current?.querySelector<HTMLElement>(`[data-digit="${event.key}"]`);
      if (!entry) return;
      event.preventDefault();
      entry.click();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  return menu;
}
