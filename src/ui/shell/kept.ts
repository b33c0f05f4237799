// A choice of this browser (folded navigation, density), kept in its storage where storage is allowed.
import { useState } from 'react';

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function useKept(key: string, otherwise: string): [string, (next: string) => void] {
  const [value, setValue] = useState(() => read(key) ?? otherwise);
  const keep = (next: string): void => {
    setValue(next);
    try {
      localStorage.setItem(key, next);
    } catch {
      // Refused in some private windows: the choice holds until the page is closed.
    }
  };
  return [value, keep];
}
