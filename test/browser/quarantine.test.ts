// Inbox › Quarantine and Settings › Forms in a real browser: mail that no one could place is read, placed and dismissed; a form is
// made, its lines are copied into a page of another origin, and what is posted there is in the inbox.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  expectAccessibleCrosswise,
  expectAccessibleInEveryLook,
  openBrowser,
  SCREENS,
  type TestBrowser,
} from '../support/browser.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { arrives, comesIn, landAll } from '../support/inbound.ts';
import { aCampaign, aDesk } from '../support/letters.ts';
import { sentLetter } from '../support/sent.ts';

let app: TestApp;
let browser: TestBrowser;
let page: Page;
beforeAll(async () => {
  app = await openTestApp({ screens: SCREENS, baseUrl: 'own' });
  browser = await openBrowser(app);
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
});
afterEach(async () => page?.close());

const WIDE = { width: 1440, height: 900 };
const shot = async (name: string): Promise<void> => {
  const shots = process.env['SHOTS'];
  if (shots) await page.screenshot({ path: `${shots}/${name}.png` });
};

test('mail that no one could place says why it waits, is read as text, and is placed or dismissed', async () => {
  const fay = { name: 'Fay Finder', addresses: [{ value: 'fay@acme.example' }] };
  expect((await app.admin.rest('POST', '/api/admin/crm/people', fay)).status).toBe(201);
  page = await browser.page(app.admin, '/inbox/quarantine');
  await page.getByText('Quarantine is empty').waitFor();
  await expectAccessibleInEveryLook(page);
  await page.setViewportSize(WIDE);

  await arrives(app, { from: 'Eve <eve@elsewhere.example>', subject: 'Hello', text: '<b>Read</b> this.' });
  await arrives(app, { from: 'Mal <mal@elsewhere.example>', subject: 'Offer', text: 'Buy it.' });
  await landAll(app);
  await page.getByRole('row').filter({ hasText: 'Eve' }).waitFor();
  await expectAccessibleInEveryLook(page);
  await shot('quarantine');
  await page.setViewportSize(WIDE);
  await page.getByRole('row').filter({ hasText: 'Eve' }).click();
  const drawer = page.getByRole('dialog', { name: 'Hello' });
  await drawer.getByText('<b>Read</b> this.').waitFor();
  await drawer.getByText('It doesn’t reply to any letter sent from here').waitFor();
  await drawer.getByLabel('Sender').fill('Fay');
  await drawer.getByRole('list', { name: 'People' }).getByText('fay@acme.example').waitFor();
  await expectAccessibleCrosswise(page);
  await shot('quarantine-mail');
  await page.setViewportSize(WIDE);
  await drawer.getByRole('list', { name: 'People' }).getByText('fay@acme.example').click();
  await drawer.getByRole('button', { name: 'Start a new conversation' }).click();
  await page.getByText('Email added to the inbox').waitFor();
  await expect.poll(() => page.getByRole('row').filter({ hasText: 'Eve' }).count()).toBe(0);

  await page.getByRole('row').filter({ hasText: 'Mal' }).click();
  await page
    .getByRole('dialog', { name: 'Offer' })
    .getByRole('button', { name: 'Dismiss', exact: true })
    .click();
  await page
    .getByRole('dialog', { name: 'Dismiss this email?' })
    .getByRole('button', { name: 'Dismiss' })
    .click();
  await page.getByText('Quarantine is empty').waitFor();
});

test('newsletters are dismissed together, by their list from now on, and the rule is counted and deleted', async () => {
  const changes = (n: number) => ({
    from: `Weekly <n${n}@news.example>`,
    subject: `Issue ${n}`,
    fields: ['List-Id: Weekly <weekly.news.example>'],
  });
  for (let n = 0; n < 3; n += 1) await arrives(app, changes(n));
  await arrives(app, { from: 'Mal <mal@elsewhere.example>', subject: 'Offer', text: 'Buy it.' });
  await landAll(app);
  page = await browser.page(app.admin, '/inbox/quarantine');
  const rows = page.getByRole('row');
  await rows.filter({ hasText: 'Issue 2' }).click();
  const drawer = page.getByRole('dialog', { name: 'Issue 2' });
  await drawer.getByText('From list weekly.news.example').waitFor();
  await expectAccessibleCrosswise(page);
  await shot('quarantine-more');
  await page.setViewportSize(WIDE);
  await drawer
    .getByRole('listitem')
    .filter({ hasText: 'From list' })
    .getByRole('button', { name: 'Show all' })
    .click();
  await page.getByText('Mailing list weekly.news.example').waitFor();
  await expect.poll(() => rows.filter({ hasText: 'Offer' }).count()).toBe(0);

  await rows.filter({ hasText: 'Issue 0' }).getByRole('checkbox').check();
  await rows.filter({ hasText: 'Issue 1' }).getByRole('checkbox').check();
  const bulk = page.getByRole('region', { name: 'Selected emails' });
  await bulk.getByText('2 selected').waitFor();
  await expectAccessibleInEveryLook(page);
  await shot('quarantine-selected');
  await page.setViewportSize(WIDE);
  await bulk.getByRole('button', { name: 'Dismiss' }).click();
  await page
    .getByRole('dialog', { name: 'Dismiss 2 emails?' })
    .getByRole('button', { name: 'Dismiss' })
    .click();
  await page.getByText('2 emails dismissed').waitFor();
  await expect.poll(() => rows.filter({ hasText: 'Issue' }).count()).toBe(1);

  await page.getByRole('button', { name: 'Clear filters' }).click();
  await rows.filter({ hasText: 'Issue 2' }).click();
  await drawer
    .getByRole('listitem')
    .filter({ hasText: 'From list' })
    .getByRole('button', { name: 'Always dismiss' })
    .click();
  await page
    .getByRole('dialog', { name: 'Always dismiss email from list weekly.news.example?' })
    .getByRole('button', { name: 'Always dismiss' })
    .click();
  await page.getByText('Rule created, 1 email dismissed').waitFor();
  await comesIn(app, changes(3));
  await page.getByRole('button', { name: 'Rules' }).click();
  const rules = page.getByRole('dialog', { name: 'Quarantine rules' });
  await rules.getByText('2 emails dismissed').waitFor();
  await expectAccessibleInEveryLook(page);
  await shot('quarantine-rules');
  await page.setViewportSize(WIDE);
  await rules.getByRole('textbox', { name: 'Domain' }).fill('gmail.com');
  await rules.getByRole('button', { name: 'Create rule' }).click();
  await rules.getByText('public mail provider').waitFor();
  await rules.getByRole('textbox', { name: 'Domain' }).fill('');
  await rules.getByRole('button', { name: 'Delete' }).click();
  await page
    .getByRole('dialog', { name: 'Delete this rule?' })
    .getByRole('button', { name: 'Delete' })
    .click();
  await rules.getByText('No rules yet.').waitFor();
});

test('who left and whom they name, a help desk, and a wish to be erased say what a person can do', async () => {
  const campaign = await aCampaign(app, await aDesk(app));
  const opened = async (text: string, fields: string[]): Promise<string> => {
    const letter = await sentLetter(app, campaign);
    const { touch } = await comesIn(app, {
      from: letter.person.address,
      in_reply_to: letter.message_id,
      text,
      fields,
    });
    return `/inbox?state=all&open=${touch?.['thread_id']}`;
  };
  const auto = ['Auto-Submitted: auto-replied'];
  page = await browser.page(
    app.admin,
    await opened('I no longer work here, contact Petra Meier <petra@acme.example>.', auto),
  );
  await page
    .getByText('This person has left the company. Suggested contact: Petra Meier (petra@acme.example).')
    .waitFor();
  await expectAccessibleInEveryLook(page);
  await shot('named');
  await page.setViewportSize(WIDE);
  await page.getByRole('button', { name: 'Add person' }).click();
  await page.getByText('Added Petra Meier').waitFor();
  await page.close();

  page = await browser.page(app.admin, await opened('We have received your request [#1234].', auto));
  await page.getByText('Their help desk replied with ticket 1234. The sequence continues.').waitFor();
  await page.close();

  page = await browser.page(
    app.admin,
    await opened('Delete my data under GDPR and never contact me again.', []),
  );
  await page.getByText('This person asked you to erase their personal data.').waitFor();
  await expectAccessibleInEveryLook(page);
  await shot('erasure');
  await page.setViewportSize(WIDE);
  await page.goto(`${app.url}/`);
  await page.getByText('Asked to have their personal data erased.').waitFor();
  await expectAccessibleInEveryLook(page);
  await shot('today-erasure');
});

test('a mail with formatting is shown in a frame that does nothing', async () => {
  const html =
    '<p>Dear <b>desk</b></p><script>parent.document.title = "had"</script><img src="https://e.example/p.gif">';
  const fields = ['From: Eve <eve@elsewhere.example>', 'To: ada@desk.example', 'Subject: Formatted'];
  const kind = ['MIME-Version: 1.0', 'Content-Type: text/html; charset=utf-8', ''];
  await arrives(app, Buffer.from([...fields, ...kind, html].join('\r\n')));
  await landAll(app);
  page = await browser.page(app.admin, '/inbox/quarantine');
  await page.getByRole('row').filter({ hasText: 'Eve' }).click();
  const drawer = page.getByRole('dialog', { name: 'Formatted' });
  await drawer.getByText('Dear desk').waitFor();
  await drawer.getByRole('button', { name: 'Show formatting' }).press('Enter');
  const frame = drawer.locator('iframe');
  await frame.contentFrame().locator('b').filter({ hasText: 'desk' }).waitFor();
  expect(await frame.getAttribute('sandbox')).toBe('');
  expect(await frame.contentFrame().locator('script, img[src]').count()).toBe(0);
  await expectAccessibleCrosswise(page);
  await shot('quarantine-formatted');
  await page.setViewportSize(WIDE);
  await drawer.getByRole('button', { name: 'Show as text' }).press('Enter');
  await frame.waitFor({ state: 'detached' });
});

test('whose domain says that it did not send a mail is warned of in the conversation', async () => {
  const letter = await sentLetter(app, await aCampaign(app, await aDesk(app)));
  const { touch } = await comesIn(app, {
    from: letter.person.address,
    in_reply_to: letter.message_id,
    text: 'Send the contract to my other address.',
    fields: [
      'Received: from out.elsewhere.example by mx.desk.example with ESMTPS id 1',
      'Authentication-Results: mx.desk.example; spf=fail; dmarc=fail',
    ],
  });
  page = await browser.page(app.admin, `/inbox?open=${touch?.['thread_id']}`);
  await page.getByText('This email failed its domain’s authentication').waitFor();
  await page.getByText('SPF failed, DMARC failed').waitFor();
  await expectAccessibleInEveryLook(page);
  await shot('doubt');
});

async function site(html: string): Promise<{ url: string; server: Server }> {
  const server = createServer((_, answer) =>
    answer.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html),
  );
  await new Promise<void>((open) => server.listen(0, '127.0.0.1', open));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

test('a form is made, its lines are in another page, and a script of a page that it names may post', async () => {
  const other = await site('<!doctype html><title>Another page</title><div id="here"></div>');
  page = await browser.page(app.admin, '/settings/forms');
  await page.getByText('No forms yet').waitFor();
  await expectAccessibleInEveryLook(page);
  await page.setViewportSize(WIDE);
  await page.getByRole('button', { name: 'Create form' }).first().click();
  const fresh = page.getByRole('dialog', { name: 'New form' });
  await fresh.getByLabel('Name', { exact: true }).fill('Contact');
  await fresh.getByLabel('Allowed origins').fill(other.url);
  await page.keyboard.press('Enter');
  await fresh.getByRole('button', { name: 'Create form' }).click();
  const drawer = page.getByRole('dialog', { name: 'Contact' });
  const html = (await drawer.getByLabel('form HTML', { exact: true }).textContent()) ?? '';
  await expectAccessibleCrosswise(page);
  await shot('form');

  const action = /action="([^"]+)"/.exec(html)?.[1] ?? '';
  const guest = await browser.page(null, '/sign-in');
  await guest.goto(other.url);
  const posted = await guest.evaluate(async (to) => {
    const answer = await fetch(to, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'script@acme.example', message: 'By a script' }),
    });
    return (await answer.json()) as unknown;
  }, action);
  expect(posted).toEqual({ ok: true });
  await guest.evaluate((lines) => {
    const here = document.getElementById('here');
    if (here) here.innerHTML = lines;
  }, html);
  await guest.getByLabel('Name').fill('Dana Roe');
  await guest.getByLabel('Email').fill('dana@acme.example');
  await guest.getByLabel('Message').fill('Please call me.');
  await guest.getByRole('button', { name: 'Send' }).click();
  await guest.getByText('Thank you').waitFor();
  await guest.close();

  await drawer.getByText('2 submissions, last').waitFor();
  await page.setViewportSize(WIDE);
  await drawer.getByRole('link', { name: 'Show in inbox' }).click();
  await page.getByRole('list', { name: 'Conversations' }).getByText('Dana Roe').waitFor();

  await page.goto(`${app.url}/settings/forms`);
  await page.getByRole('row').filter({ hasText: 'Contact' }).waitFor();
  await expectAccessibleInEveryLook(page);
  await shot('forms');
  await page.setViewportSize(WIDE);
  await page.getByRole('row').filter({ hasText: 'Contact' }).click();
  await page.getByRole('dialog', { name: 'Contact' }).getByRole('button', { name: 'Delete' }).click();
  await page
    .getByRole('dialog', { name: 'Delete form “Contact”?' })
    .getByRole('button', { name: 'Delete' })
    .click();
  await page.getByText('No forms yet').waitFor();
  other.server.close();
});
