// Text that is half written, kept in this tab under a name: it is there again after another screen, a reload or a lost server, for
// the same person alone. Saving it, or emptying the field, forgets it.
import { useState } from 'react';
import { useMe } from '../client/session.ts';

const keyOf = (person: string, of: string): string => `dunnock-text:${person}:${of}`;

function read(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

export function useKeptText(of: string): [text: string, set: (text: string) => void] {
  const key = keyOf(useMe().principal.id, of);
  const [text, setText] = useState(() => read(key));
  const set = (next: string): void => {
    setText(next);
    try {
      if (next === '') sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, next);
    } catch {
      // Refused in some private windows: the text holds until the screen is left.
    }
  };
  return [text, set];
}
