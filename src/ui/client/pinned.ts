// Keeps what a person was shown when they started an action, so the action carries that and not what arrived since.
import { useState } from 'react';

/** `present`, held still while `editing`. Ending the edit (discard, saved) takes what is there by then. */
export function usePinned<T>(present: T, editing: boolean): T {
  const [pinned, pin] = useState(present);
  if (!editing && pinned !== present) pin(present);
  return editing ? pinned : present;
}
