// Keeps the focus from getting lost when the focused element disappears: a letter that was decided, the row that opened a
// dialog, a button that is busy. The focus moves to what replaced it, back to where it was before, or to the screen’s heading.

const REACHED = 'a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex="-1"])';
const DIALOG = '[role="dialog"]';
/** The screens' own ways of moving the focus come first. */
const SOON_MS = 50;
/** For so long a control may be disabled by what it began. */
const WAITS = 20;
const STEPS_BACK = 8;

const able = (one: Element | undefined | null): one is HTMLElement =>
  one instanceof HTMLElement && one.isConnected && one.checkVisibility() && !shut(one);
const shut = (one: Element): boolean => one.matches(':disabled, [inert], [inert] *');
/** Nothing has it, or what is in sight no more: a list on a phone gives way to what was chosen in it. */
const isLost = (): boolean => {
  const has = document.activeElement ?? document.body;
  return has === document.body || !has.checkVisibility();
};

/** Itself, or the first in it. What decides is never it: the next key might be meant for what is gone. */
const reachedIn = (box: Element | undefined): HTMLElement | undefined =>
  box &&
  [...(box.matches(REACHED) ? [box] : []), ...box.querySelectorAll(REACHED)].find(
    (one): one is HTMLElement => able(one) && !one.matches('[data-decision]'),
  );

/** Null while the screen is on its way. */
function heading(): HTMLElement | null {
  const title = document.querySelector<HTMLElement>('#screen h1:not(.unseen)');
  if (title) title.tabIndex = -1;
  return title;
}

type Place = { box: Element; at: number };

/** Where it exists, from inside out, as far as the screen or the dialog around it. */
function placesOf(one: Element): Place[] {
  const places: Place[] = [];
  for (let box = one.parentElement; box && box.parentElement?.id !== 'screen' && box !== document.body;) {
    places.push({ box, at: [...box.children].indexOf(one) });
    one = box;
    box = box.matches(DIALOG) ? null : box.parentElement;
  }
  return places;
}

/** From the first key on, which was pressed at this path; `had` is what had the focus last. */
export function keepFocus(from: string, had: EventTarget | null): () => void {
  let trail: HTMLElement[] = [];
  let places: Place[] = [];
  let path = from;
  let keys = true;
  let due = 0;
  let waited = 0;

  const instead = (): HTMLElement | null | undefined => {
    const [had, ...before] = trail;
    const over = [...document.querySelectorAll(DIALOG)].findLast((one) => one.checkVisibility());
    if (over && !places.some(({ box }) => over.contains(box)))
      return before.find((one) => able(one) && over.contains(one)) ?? reachedIn(over);
    if (path !== location.pathname) return heading();
    // It was left on purpose: on to what it is in.
    if (able(had) && waited === 0) {
      const around = had.parentElement?.closest<HTMLElement>('[tabindex]:not(#screen)');
      return able(around) ? around : heading();
    }
    if (able(had)) return had;
    const dialog = trail[0]?.closest(DIALOG);
    if (dialog && !able(dialog)) return before.find((one) => able(one) && !dialog.contains(one)) ?? heading();
    for (const { box, at } of places) {
      if (!able(box)) continue;
      // What is beside the screen's heading has nothing to do with what is gone.
      if (box.querySelector('h1')) break;
      const found = reachedIn(box.children[at] ?? box.lastElementChild ?? undefined) ?? reachedIn(box);
      if (found) return found;
    }
    return heading();
  };

  const check = (): void => {
    due = 0;
    const [had] = trail;
    // A click beside everything leaves it on purpose, and nothing had it when the screen came.
    if (!isLost() || (had ? able(had) && waited === 0 && !keys : !keys || path === location.pathname)) return;
    const waits = had?.isConnected && had.checkVisibility() && shut(had);
    if (waits && (had.matches('[data-loading], [inert] *') || waited < WAITS)) {
      waited += 1;
      return soon();
    }
    const to = instead();
    if (!to && waited < WAITS) {
      waited += 1;
      return soon();
    }
    const next = to ?? document.getElementById('screen');
    next?.focus({ preventScroll: true });
    next?.scrollIntoView({ block: 'nearest' });
  };
  const soon = (): void => {
    due ||= window.setTimeout(check, SOON_MS);
  };
  const note = ({ target }: Pick<FocusEvent, 'target'>): void => {
    if (!(target instanceof HTMLElement)) return;
    trail = [target, ...trail.filter((one) => one !== target)].slice(0, STEPS_BACK);
    places = placesOf(target);
    path = location.pathname;
    waited = 0;
  };
  const by = ({ type }: Event): void => {
    keys = type === 'keydown';
  };
  // What is taken out of the page, or out of sight, tells no one that it had the focus.
  const gone = new MutationObserver(soon);

  document.addEventListener('focusin', note);
  document.addEventListener('focusout', soon);
  for (const type of ['keydown', 'pointerdown']) document.addEventListener(type, by, true);
  gone.observe(document.body, { childList: true, subtree: true });
  if (!isLost()) note({ target: document.activeElement });
  else {
    // What the first key itself took out of sight.
    if (had instanceof HTMLElement && !able(had)) note({ target: had });
    soon();
  }
  return () => {
    gone.disconnect();
    clearTimeout(due);
    document.removeEventListener('focusin', note);
    document.removeEventListener('focusout', soon);
    for (const type of ['keydown', 'pointerdown']) document.removeEventListener(type, by, true);
  };
}
