// The two keys of every field in which someone writes: Escape leaves it, Ctrl or Command with Enter sends what it says. Where
// an input method is at work both are that one's.
import type { KeyboardEvent } from 'react';

export const leaves = ({ key, nativeEvent }: KeyboardEvent): boolean =>
  key === 'Escape' && !nativeEvent.isComposing;

export const sends = ({ key, metaKey, ctrlKey, nativeEvent }: KeyboardEvent): boolean =>
  key === 'Enter' && (metaKey || ctrlKey) && !nativeEvent.isComposing;
