// A story: someone has a program of their own told what happens. It is given the secret that the screen showed once, checks
// every delivery with it, and what failed while it was away is sent again.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR_MS } from '../../../src/kernel/clock.ts';
import { newProject, parkedBy } from '../../support/board.ts';
import { openBrowser, SCREENS, type TestBrowser } from '../../support/browser.ts';
import { openTestApp, type TestApp } from '../../support/app.ts';
import { receiver } from '../../support/receiver.ts';
import { AT_A_DESK, LONG_MS, looksRight, SOON } from './told.ts';

let app: TestApp;
let browser: TestBrowser;

beforeAll(async () => {
  app = await openTestApp({ screens: SCREENS, allowPrivate: true });
  browser = await openBrowser(app);
});

afterAll(async () => {
  await browser?.close();
  await app?.close();
});

test.each(AT_A_DESK)(
  'events are turned on, checked by whoever receives them, and sent again after a fault, at %i px',
  async (width) => {
    await app.sql`delete from events_webhook`;
    await app.sql`delete from event_deliveries`;
    // The clock was moved by hours: whoever sets an address has just said that it is them.
    const { password } = app.admin;
    expect((await app.admin.rest('POST', '/api/auth/step-up', { password })).status).toBe(200);
    let status = 200;
    await using program = await receiver((response) => void response.writeHead(status).end());
    const page = await browser.page(app.admin, '/settings/integrations', { width });
    await page.getByRole('textbox', { name: 'Address' }).fill(`http://127.0.0.1:${program.port}/hook`);
    await page.getByRole('button', { name: 'Save and turn on' }).click();
    const dialog = page.getByRole('dialog', { name: 'Signing secret for events' });
    const secret = (await dialog.getByText(/^whsec_/).textContent()) ?? '';
    await looksRight(page, 'events-secret');
    await dialog.getByRole('button', { name: 'I’ve copied it' }).click();
    await dialog.waitFor({ state: 'hidden' });

    const { key } = await newProject(app);
    const scout = await app.token();
    const { item } = await parkedBy(scout, key, { title: 'A list to sign for' });
    await app.instance.jobs.run('deliveries');
    const [told] = program.arrived;
    expect(told?.headers['x-service-signature']).toBe(
      `sha256=${createHmac('sha256', secret)
        .update(told?.body ?? '')
        .digest('hex')}`,
    );
    expect(JSON.parse(String(told?.body))).toMatchObject({
      event: 'work.review_parked',
      data: { item_id: item.id, title: 'A list to sign for' },
    });
    const row = page.getByRole('row').filter({ hasText: 'work.review_parked' });
    await row.getByText('Delivered').waitFor();

    // The program is away for longer than it is waited for.
    status = 503;
    await parkedBy(scout, key, { title: 'Another list' });
    await app.instance.jobs.run('deliveries');
    await row.getByText('Status 503').first().waitFor();
    await page.getByText('Failing since').waitFor();
    await looksRight(page, 'events-failing');
    for (let turn = 0; turn < 6; turn += 1) {
      app.clock.advance(HOUR_MS);
      await app.instance.jobs.run('deliveries');
    }
    status = 200;
    program.arrived.length = 0;
    await row.filter({ hasText: 'Failed' }).click();
    const drawer = page.getByRole('dialog', { name: 'work.review_parked' });
    await looksRight(page, 'events-delivery');
    await drawer.getByRole('button', { name: 'Send again' }).click();
    await drawer.getByText('Pending').waitFor();
    await app.instance.jobs.run('deliveries');
    await drawer.getByText('Delivered', { exact: true }).first().waitFor();
    await expect.poll(() => program.arrived.length, SOON).toBe(1);
    expect(JSON.parse(String(program.arrived[0]?.body)).data.title).toBe('Another list');
    await page.close();
  },
  LONG_MS,
);
