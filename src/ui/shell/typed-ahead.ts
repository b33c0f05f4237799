// What is typed between the key that opens a field and the field having the focus: it belongs to the field, and to no key of the
// screen below.
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
