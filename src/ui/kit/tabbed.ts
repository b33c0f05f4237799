// Which control someone went to with Tab. Space and Enter press a decision only there: a focus that the page moved, after a
// dialog or a decision, is no one's choice.
import type { FocusEvent, KeyboardEvent } from 'react';

let last = '';
let reached: EventTarget | null = null;

if (typeof document !== 'undefined') {
  document.addEventListener('keydown', ({ key }) => (last = key), true);
  document.addEventListener('pointerdown', () => (last = ''), true);
}

const presses = ({ key }: KeyboardEvent): boolean => key === 'Enter' || key === ' ';

/** Of a button that decides. Firefox presses at the release of Space, Chromium does not begin without the press. */
const onlyTabbed = (event: KeyboardEvent): void => {
  if (presses(event) && reached !== event.currentTarget) event.preventDefault();
};

export const DECISION = {
  'data-decision': true,
  onFocus: ({ currentTarget }: FocusEvent): void => {
    reached = last === 'Tab' ? currentTarget : null;
  },
  onBlur: (): void => {
    reached = null;
  },
  onKeyDown: onlyTabbed,
  onKeyUp: onlyTabbed,
} as const;
