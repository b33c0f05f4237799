// Asks before unsaved text is lost (kit/leave.ts): by going to another screen, closing the page, or closing the dialog or drawer
// it is in. Ctrl or ⌘ with Enter sends a dialog’s form.
import { useBlocker } from '@tanstack/react-router';
import { mayLeave, unsavedIn, useUnloadGuard, useUnsaved } from '../kit/leave.ts';

type Place = { pathname: string; search: object };

/** Of an address what decides which form is there: filters and order do not. */
const shown = ({ pathname, search }: Place): string => {
  const { view, open, new: made } = search as Record<string, unknown>;
  return JSON.stringify([pathname, view, open, made]);
};

export function LeaveGuard() {
  useUnloadGuard();
  useBlocker({
    disabled: !useUnsaved(),
    shouldBlockFn: async ({ current, next }) =>
      shown(current) !== shown(next) && unsavedIn().length > 0 && !(await mayLeave(unsavedIn())),
    enableBeforeUnload: false,
  });
  return null;
}

const DIALOG = '[role="dialog"]';
const topmost = (): Element | null =>
  [...document.querySelectorAll(`${DIALOG}[aria-modal="true"]`)].findLast((one) => one.checkVisibility()) ??
  null;

/** Let through once its question was answered. */
let answered = false;

/** Holds the event back until the person has chosen, and repeats it where they leave. */
async function hold(event: Event, dialog: Element, repeat: () => void): Promise<void> {
  const unsaved = unsavedIn(dialog);
  if (answered || unsaved.length === 0) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (!(await mayLeave(unsaved))) return;
  answered = true;
  repeat();
  answered = false;
}

function onKey(event: KeyboardEvent): void {
  const target = event.target instanceof Element ? event.target : document.body;
  const dialog = target.closest(DIALOG) ?? topmost();
  if (!dialog || event.isComposing) return;
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) return send(event, dialog, target);
  // An open list of choices closes first, and a text typed in place is undone first.
  if (event.key !== 'Escape' || target.getAttribute('data-mantine-stop-propagation') === 'true') return;
  void hold(event, dialog, () =>
    (target.isConnected ? target : document.body).dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }),
    ),
  );
}

/** The form that has the focus; from outside any text, the only one of the dialog. A text of no form has keys of its own. */
function send(event: KeyboardEvent, dialog: Element, target: Element): void {
  const [only, ...more] = dialog.querySelectorAll('form');
  const form =
    target.closest('form') ?? (more.length > 0 || target.matches('input, textarea') ? undefined : only);
  if (!form || form.inert) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  form.requestSubmit();
}

function onClick(event: MouseEvent): void {
  if (!(event.target instanceof Element)) return;
  const { target } = event;
  const cross = target.closest('.mantine-Modal-close, .mantine-Drawer-close');
  const around = target.matches('.mantine-Modal-overlay, .mantine-Drawer-overlay')
    ? target.closest('.mantine-Modal-root, .mantine-Drawer-root')
    : null;
  const dialog = cross?.closest(DIALOG) ?? around?.querySelector(DIALOG);
  const pressed = cross ?? target;
  if (dialog) void hold(event, dialog, () => pressed instanceof HTMLElement && pressed.click());
}

// Before any dialog listens: each of them hears Escape on the window too, in the order in which they began to.
addEventListener('keydown', onKey, true);
addEventListener('click', onClick, true);
