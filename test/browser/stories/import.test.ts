// A story: five thousand people come from a file. The plan is read, the writing is left and found again, someone of the list
// is found, and those of one tag are what the export holds.
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { openBrowser, SCREENS } from '../../support/browser.ts';
import { openTestApp } from '../../support/app.ts';
import { AT_A_DESK, heading, LONG_MS, looksRight, SOON } from './told.ts';

const PEOPLE = 5_000;

const list = (): Buffer =>
  Buffer.from(
    [
      'First name,Last name,Email,Company,Position',
      ...Array.from({ length: PEOPLE }, (_, n) => {
        const number = String(n).padStart(4, '0');
        return `Person${number},Roe,person${number}@firm${n % 400}.example,Firm ${n % 400},Buyer`;
      }),
    ].join('\n'),
  );

async function linesOf(file: string): Promise<number> {
  let lines = 0;
  const reading = createInterface({ input: createReadStream(file) });
  reading.on('line', () => (lines += 1));
  await once(reading, 'close');
  return lines;
}

test.each(AT_A_DESK)(
  'five thousand people are imported as their plan said, at %i px',
  async (width) => {
    const app = await openTestApp({ screens: SCREENS });
    const browser = await openBrowser(app);
    try {
      const page = await browser.page(app.admin, '/people', { width });
      await page.getByRole('button', { name: 'Import a list' }).click();
      await heading(page, 'Choose a list of people').waitFor();
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: /^Choose a file$/ }).press('Enter');
      await (await chooser).setFiles({ name: 'fair.csv', mimeType: 'text/csv', buffer: list() });
      await heading(page, 'Match the columns').or(heading(page, 'Plan for fair.csv')).first().waitFor();
      const plan = page.getByRole('button', { name: /^(Create|See the) plan$/ });
      await plan.waitFor();
      if (await page.getByLabel('Source').isVisible()) {
        await page.getByLabel('Source').fill('Fair 2026');
        await page.getByPlaceholder('Type a tag, then press Enter').fill('fair');
        await page.keyboard.press('Enter');
      }
      await looksRight(page, 'import-columns');
      await plan.click();
      await page.getByText(/^The plan shows the first \d+ of 5,000\.$/).waitFor();
      await looksRight(page, 'import-plan');
      await page.getByRole('button', { name: 'Import 5,000 people' }).click();
      const sure = page.getByRole('dialog', { name: 'Import 5,000 people?' });
      await sure.getByRole('button', { name: 'Import 5,000 people' }).click();
      await page.waitForURL(/\/people\/imports\/[0-9a-f-]{36}$/);
      const batch = page.url();
      await page.getByText(/of 5,000 rows/).waitFor();

      // It is left while it is written, goes on without anyone, and is found again.
      await page.goto(`${app.url}/`);
      while ((await app.instance.jobs.run('imports')) > 0);
      await page.goto(`${app.url}/people/imports`);
      await page.locator('tbody tr[data-row]').first().getByText('Written').waitFor();
      await page.locator('tbody tr[data-row]').first().click();
      await expect.poll(() => page.url(), SOON).toBe(batch);
      await page.getByText('Written', { exact: true }).first().waitFor();
      await looksRight(page, 'import-written');

      await page.goto(`${app.url}/people`);
      await page.locator('tbody tr[data-row]').first().waitFor();
      await looksRight(page, 'import-people');
      await page.getByPlaceholder('Find people').fill('person4321');
      await page.getByText('Person4321 Roe').waitFor();
      await expect.poll(() => page.locator('tbody tr[data-row]').count(), SOON).toBe(1);
      await page.locator('tbody tr[data-row]').first().click();
      await heading(page, 'Person4321 Roe').first().waitFor();
      await page.getByText('Firm 321').first().waitFor();
      await looksRight(page, 'import-person');

      if (width > 640) {
        await page.goto(`${app.url}/people?tag=fair`);
        const saved = page.waitForEvent('download');
        await page.getByRole('link', { name: 'Export' }).click();
        expect(await linesOf(await (await saved).path())).toBe(PEOPLE + 1);
      }
    } finally {
      await browser.close();
      await app.close();
    }
  },
  LONG_MS,
);
