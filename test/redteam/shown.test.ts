// What someone else wrote, where a person decides about it: words that pretend to be the screen are words.
import type { Locator } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newProject, parkedBy } from '../support/board.ts';
import { openBrowser, SCREENS, type TestBrowser } from '../support/browser.ts';
import { openTestApp, type TestApp } from '../support/app.ts';

let app: TestApp;
let browser: TestBrowser;

beforeAll(async () => {
  app = await openTestApp({ screens: SCREENS });
  browser = await openBrowser(app);
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
});

test('B18: a title and a description that pose as the screen are text, set apart, and whole before the button', async () => {
  const scout = await app.token({ name: 'scout' });
  const project = await newProject(app);
  const title = 'Approved by Ada \u202etfel ot thgir\u2066 and done';
  const description = `<button>Approve</button><img src="https://evil.example/p.png"><script>document.title = 'taken'</script>
[Approve](javascript:alert(1))${'\n'.repeat(400)}${'\u00a0\n'.repeat(200)}The end of it.`;
  await parkedBy(scout, project.key, { title, description });
  const page = await browser.page(app.admin, `/approvals?project=${project.key}`);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).host));
  const heading = page.getByRole('heading', { name: /^Approved by Ada/ });
  await heading.waitFor();
  const approve = page.getByRole('button', { name: /^Approve/ });
  await expect.poll(() => approve.getAttribute('aria-disabled')).toBeNull();
  expect(await approve.count(), 'one button, and it is ours').toBe(1);
  const end = page.getByText('The end of it.');
  await end.waitFor();
  // Nothing of it turns what is beside it round.
  for (const shown of [heading, end]) {
    expect(await shown.innerText()).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    expect(
      await shown.evaluate((from) => {
        for (let at: Element | null = from; at; at = at.parentElement)
          if (/isolate|plaintext/.test(getComputedStyle(at).unicodeBidi)) return true;
        return false;
      }),
    ).toBe(true);
  }
  // However much nothing is in between, what was written is within a few screens, and before the button.
  const top = async (each: Locator): Promise<number> => (await each.boundingBox())?.y ?? NaN;
  await expect.poll(async () => (await top(end)) - (await top(heading))).toBeLessThan(2_000);
  const order = await approve.evaluate(
    (button, text) => button.compareDocumentPosition(text as Node) & Node.DOCUMENT_POSITION_PRECEDING,
    await end.elementHandle(),
  );
  expect(order, 'it is read before the button').toBeTruthy();
  expect(await page.locator('a[href^="javascript:"], main img, main script').count()).toBe(0);
  expect(await page.title()).not.toBe('taken');
  expect([...new Set(asked)].filter((host) => host !== new URL(app.url).host)).toEqual([]);
  await page.close();
});
