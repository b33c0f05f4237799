// Keeps keys that are pressed after a field was opened and before it has the focus: they belong to the field, not to the screen.
import { useLayoutEffect, useState } from 'react';

const inField = (): boolean => document.activeElement?.matches('[role="dialog"] input') ?? false;

export function useTypedAhead(opened: boolean): string {
  const [typed, setTyped] = useState('');
  useLayoutEffect(() => {
    if (!opened) return;
    const take = (event: KeyboardEvent): void => {
      if (inField() || event.key.length > 1 || event.metaKey || event.ctrlKey || event.altKey) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      setTyped((before) => before + event.key);
    };
    document.addEventListener('keydown', take, true);
    return () => {
      document.removeEventListener('keydown', take, true);
      setTyped('');
    };
  }, [opened]);
  return typed;
}
