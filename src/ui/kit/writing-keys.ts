// The keys of every field in which someone writes: Escape leaves it, Ctrl or Command with Enter sends what it says, and with
// Shift and L puts that off where it can go later. Where an input method is at work they are that one's.
import type { KeyboardEvent } from 'react';

export const leaves = ({ key, nativeEvent }: KeyboardEvent): boolean =>
  key === 'Escape' && !nativeEvent.isComposing;

export const sends = ({ key, metaKey, ctrlKey, nativeEvent }: KeyboardEvent): boolean =>
  key === 'Enter' && (metaKey || ctrlKey) && !nativeEvent.isComposing;

export const puts = ({ key, metaKey, ctrlKey, shiftKey, nativeEvent }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'l' && shiftKey && (metaKey || ctrlKey) && !nativeEvent.isComposing;
