// What an eye would find on a screen, found without one: what is beyond the edge of the window, words that a button cuts off,
// and a screen that says in the console that something is wrong.
import type { Page } from '@playwright/test';

/** Read in the page, so that nothing of this module is used inside. */
function inPage(): string[] {
  const found: string[] = [];
  const wider = document.documentElement.scrollWidth - innerWidth;
  if (wider > 0) found.push(`${wider} px too wide`);
  const named = (element: Element): string => (element.textContent ?? '').trim().slice(0, 40);
  const scrolled = (element: Element): boolean => {
    for (let at = element.parentElement; at; at = at.parentElement)
      if (['auto', 'scroll'].includes(getComputedStyle(at).overflowX) && at.scrollWidth > at.clientWidth)
        return true;
    return false;
  };
  for (const element of document.querySelectorAll('a, button, input, h1, h2, p, td, label')) {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const box = element.getBoundingClientRect();
    // What only readers hear is a point that is anywhere.
    if (box.width < 2 || box.height < 2) continue;
    if (box.right > innerWidth + 1 && box.left < innerWidth && !scrolled(element))
      found.push(`beyond the edge: ${named(element)}`);
    const inside = element.matches('button') ? [element, ...element.querySelectorAll('span')] : [];
    if (
      inside.some(
        (one) =>
          one.scrollWidth > one.clientWidth + 1 &&
          one.clientWidth > 2 &&
          getComputedStyle(one).overflowX !== 'visible' &&
          getComputedStyle(one).textOverflow !== 'ellipsis',
      )
    )
      found.push(`cut off: ${named(element)}`);
  }
  return [...new Set(found)];
}

export const faultsOf = (page: Page): Promise<string[]> => page.evaluate(inPage);

/** What a page says of itself from now on: faults in its script, and answers that are faults of the product. */
export function heard(page: Page): string[] {
  const said: string[] = [];
  page.on('pageerror', ({ message }) => said.push(message.slice(0, 120)));
  page.on('response', (response) => {
    if (response.status() >= 500) said.push(`${response.status()} ${new URL(response.url()).pathname}`);
  });
  return said;
}
