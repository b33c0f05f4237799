// A form that is sent while what was chosen in one of its fields is still on its way: it waits for that, and is sent then. Where
// words are in the field that are no one, it is not sent, and the field says so.
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';

type Choice = {
  /** Something was chosen of what has not come yet. */
  awaited: boolean;
  /** Words are there that no one was chosen by. */
  unchosen: boolean;
  /** Says so at the field. */
  say: () => void;
};

type Held = { form: HTMLFormElement; by: HTMLElement | null };

export function useHeldSubmit(
  field: RefObject<HTMLInputElement | null>,
  choice: Choice,
): { drop: () => boolean } {
  const held = useRef<Held | null>(null);
  const drop = (): boolean => {
    const was = held.current !== null;
    held.current = null;
    return was;
  };
  const look = useEffectEvent((event: SubmitEvent): void => {
    if (!choice.awaited && !choice.unchosen) return;
    // Before any other hears of it.
    event.preventDefault();
    event.stopImmediatePropagation();
    const form = field.current?.form;
    if (choice.awaited && form) held.current = { form, by: event.submitter };
    else choice.say();
  });
  useEffect(() => {
    const form = field.current?.form;
    if (!form) return;
    const before = (event: SubmitEvent): void => look(event);
    // Whoever does something else meanwhile, as closing the dialog, does not send it any more.
    const other = (event: Event): void => {
      if (event instanceof KeyboardEvent && event.key !== 'Escape') return;
      held.current = null;
    };
    form.addEventListener('submit', before, true);
    document.addEventListener('click', other, true);
    document.addEventListener('keydown', other, true);
    return () => {
      form.removeEventListener('submit', before, true);
      document.removeEventListener('click', other, true);
      document.removeEventListener('keydown', other, true);
    };
  }, [field]);
  // Once what was chosen is drawn, so that the form sends it; also where this field went with the choice.
  useEffect(() => {
    if (!choice.awaited) return;
    return () => {
      const { form, by } = held.current ?? {};
      held.current = null;
      if (form?.isConnected) form.requestSubmit(by?.isConnected ? by : null);
    };
  }, [choice.awaited]);
  return { drop };
}
