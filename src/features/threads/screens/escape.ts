// Escape leaves a field in which somebody writes; where an input method is at work it is that one's key.
import type { KeyboardEvent } from 'react';

export const leaves = ({ key, nativeEvent }: KeyboardEvent): boolean =>
  key === 'Escape' && !nativeEvent.isComposing;
