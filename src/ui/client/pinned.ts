// What a person had before them when they began: an act carries that, and never what arrived while they were at it.
import { useState } from 'react';

/** `present`, held still while `editing`. Ending the edit (discard, saved) takes what is there by then. */
export function usePinned<T>(present: T, editing: boolean): T {
  const [pinned, pin] = useState(present);
  if (!editing && pinned !== present) pin(present);
  return editing ? pinned : present;
}
