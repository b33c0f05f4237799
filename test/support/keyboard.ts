// A page worked by the keyboard alone: keys, words, and Tab as far as a control, and after each of them the question whether the
// focus is somewhere and can be seen there.
import type { Locator, Page } from '@playwright/test';
import { expect } from 'vitest';

export type Hands = {
  press(...keys: string[]): Promise<void>;
  type(words: string): Promise<void>;
  /** Tab, or Shift and Tab, until this has the focus. */
  reach(control: Locator): Promise<void>;
  /** Reaches it and presses Enter. */
  enter(control: Locator): Promise<void>;
};

/** Longer than from one end of any screen to the other. */
const MOST_TABS = 120;
const SOON = { timeout: 30_000, interval: 25 };

/** What has the focus where it is lost or cannot be seen; null where all is well. Runs in the page. */
function troubleWithFocus(): string | null {
  const has = document.activeElement;
  if (!has || has === document.body) return 'nothing has the focus';
  const { tagName, className, ariaLabel, textContent } = has;
  const named = `${tagName} ${ariaLabel ?? ''} ${textContent.slice(0, 40)} .${String(className)}`;
  // A box of a radio or a switch lies unseen over what is drawn for it.
  const drawn = has.matches('input[type=radio], input[type=checkbox]')
    ? [has, ...(has.parentElement?.querySelectorAll('*') ?? [])]
    : [has];
  const outlined = ({ outlineStyle, outlineWidth }: CSSStyleDeclaration): boolean =>
    outlineStyle !== 'none' && outlineWidth !== '0px';
  const seen = drawn.some((one) => {
    const style = getComputedStyle(one);
    return outlined(style) || style.boxShadow !== 'none';
  });
  // A frame may show it for what is in it, as a card does for its title; a shadow there may be its own at any time, save
  // that of a field.
  const framed = (): boolean => {
    const field = has.closest('.mantine-Input-input');
    if (field && getComputedStyle(field).boxShadow !== 'none') return true;
    let box = has.parentElement;
    for (let up = 0; box && up < 4; up += 1, box = box.parentElement)
      if (outlined(getComputedStyle(box))) return true;
    return false;
  };
  // The title of a page takes the focus when the page comes, is no stop of Tab, and by design has no ring; its place is the
  // page's beginning, and it must be in sight like anything else.
  const title = has.matches('h1[tabindex="-1"]');
  if (!title && !seen && !framed()) return `the focus cannot be seen on ${named}`;
  const rects = drawn.map((one) => one.getBoundingClientRect());
  const rect = rects.find(({ width, height }) => width > 0 && height > 0);
  if (!rect) return `what has the focus has no size: ${named}`;
  const { bottom, right, top, left } = rect;
  if (bottom < 0 || right < 0 || top > innerHeight || left > innerWidth)
    return `what has the focus is out of sight: ${named}`;
  return null;
}

/** Somewhere, and seen there; a moment later at the latest. */
export async function expectFocusSeen(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(troubleWithFocus), SOON).toBeNull();
}

export function handsOn(page: Page): Hands {
  const hands: Hands = {
    async press(...keys) {
      for (const key of keys) {
        await page.keyboard.press(key);
        await expectFocusSeen(page);
      }
    },
    async type(words) {
      await page.keyboard.type(words);
      await expectFocusSeen(page);
    },
    async reach(control) {
      // What is drawn over may hide it from the eye, and not from the keyboard.
      await control.first().waitFor({ state: 'attached' });
      for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
        const way = await control.first().evaluate((goal) => {
          const has = document.activeElement ?? document.body;
          if (has === goal) return null;
          // Within it, as from a row's box to its row, back is the way; from the page itself everything lies ahead.
          const ahead = has.compareDocumentPosition(goal) & Node.DOCUMENT_POSITION_FOLLOWING;
          return ahead ? 'Tab' : 'Shift+Tab';
        });
        if (way === null) return await expectFocusSeen(page);
        await hands.press(way);
      }
      expect.fail(`no number of tabs leads to ${control.toString()}`);
    },
    async enter(control) {
      await hands.reach(control);
      await hands.press('Enter');
    },
  };
  return hands;
}
