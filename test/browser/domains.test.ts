// What letters leave by, in a real browser: a domain is added with its records, paused and resumed; an identity is set up,
// tested and set active; the vendor and its key are beside the events.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessibleCrosswise, openBrowser, SCREENS, type TestBrowser } from '../support/browser.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { O } from '../support/letters.ts';

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

/** Loopback under the load of the other test files. */
const SOON = { timeout: 60_000 };
const domains = async () => (await app.admin.rest('GET', `${O}/domains`)).body.items;
const identities = async () => (await app.admin.rest('GET', `${O}/identities`)).body.items;

test('a domain is added, shows the records to publish, and is paused and resumed with the harm named', async () => {
  const page = await browser.page(app.admin, '/settings/domains');
  await page.getByText('No sending domains yet').waitFor();
  await page.keyboard.press('n');
  const form = page.getByRole('form', { name: 'Add a sending domain' });
  await form.getByLabel('Domain', { exact: true }).fill('not a domain');
  await form.getByRole('button', { name: 'Add domain' }).click();
  await form.locator('[aria-invalid="true"]').first().waitFor();
  await form.getByLabel('Domain', { exact: true }).fill('Mail.Bridges.example');
  await form.getByRole('button', { name: 'Add domain' }).click();
  await page.getByRole('heading', { name: 'mail.bridges.example' }).waitFor();
  await page
    .getByRole('button', { name: /^Copy Value of the TXT record/ })
    .first()
    .waitFor();
  await page.getByText('Publish the DNS records, then check them.').waitFor();
  const senders = page.getByRole('form', { name: 'Record values' });
  const includes = senders.getByLabel('SPF includes');
  await includes.fill('_spf.bridges.example');
  await includes.press('Enter');
  await senders.getByLabel('Sending servers').fill('192.0.2.7');
  await senders.getByLabel('Sending servers').press('Enter');
  await senders.getByRole('button', { name: 'Save values' }).click();
  await expect
    .poll(async () => (await domains())[0], SOON)
    .toMatchObject({ spf_includes: ['_spf.bridges.example'], sending_hosts: ['192.0.2.7'] });
  // The record to publish says so at once.
  await page.getByText('include:_spf.bridges.example').first().waitFor();
  // A failing check says what is wrong, and how to get the record that isn't listed yet.
  const checked_at = new Date().toISOString();
  const auth = {
    dkim: { outcome: 'failing', why: 'missing', found: 'desk._domainkey', checked_at },
    mx: { outcome: 'failing', why: 'missing', found: null, checked_at },
  };
  await app.sql`update domains set auth = ${app.sql.json(auth)}`;
  await page.reload();
  const checks = page.getByRole('list', { name: 'Checks' });
  await checks.getByText('No record found. Looked up: desk._domainkey').waitFor();
  await checks.getByText('enter the incoming mail server under Record values').waitFor();
  expect(await checks.getByText('Found:').count()).toBe(0);
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused by a person').waitFor();
  await expectAccessibleCrosswise(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resume domain' }).click();
  await expect.poll(async () => (await domains())[0].state, SOON).toBe('unverified');
  await page.goto(`${app.url}/settings/domains`);
  await page.getByLabel('State').selectOption('paused');
  await page.getByText('No domain is in this state.').waitFor();
  expect(new URL(page.url()).searchParams.get('state')).toBe('paused');
  await page.getByRole('button', { name: 'Show all domains' }).click();
  await page.getByText('mail.bridges.example').waitFor();
  await page.close();
});

test('an identity is set up inactive, tested rung by rung, and set active after a question', async () => {
  if ((await domains()).length === 0)
    await app.admin.rest('POST', `${O}/domains`, { name: 'mail.bridges.example' });
  const page = await browser.page(app.admin, '/settings/identities');
  await page.getByText('No identities yet').waitFor();
  await page.keyboard.press('n');
  const form = page.getByRole('form', { name: 'Set up an identity' });
  await form.getByLabel('Name').fill('Ann Example');
  await form.getByLabel('Address').fill('ann@mail.bridges.example');
  await expectAccessibleCrosswise(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await form.getByText('Sandbox').click();
  await form.getByRole('button', { name: 'Create identity' }).click();
  await page.getByText('This identity was never activated.').waitFor();
  expect((await identities())[0]).toMatchObject({ active: false, transport: { kind: 'sandbox' } });
  await page.getByRole('button', { name: 'Test connection' }).click();
  await page.getByRole('list', { name: 'Test results: outgoing mail' }).waitFor();
  await page.getByRole('button', { name: 'Activate' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click();
  await expect.poll(async () => (await identities())[0].active, SOON).toBe(true);
  await expectAccessibleCrosswise(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${app.url}/settings/identities?state=inactive`);
  await page.getByText('No identity matches these filters.').waitFor();
  await page.getByLabel('State').selectOption('active');
  await page.getByText('Ann Example').waitFor();
  await expectAccessibleCrosswise(page);
  await page.close();
});

test('where answers arrive is set with a password that is not shown again, and what is wrong there is above', async () => {
  if ((await domains()).length === 0)
    await app.admin.rest('POST', `${O}/domains`, { name: 'mail.bridges.example' });
  const { body } = await app.admin.rest('POST', `${O}/identities`, {
    name: 'Ben Example',
    address: 'ben@mail.bridges.example',
    transport: { kind: 'sandbox' },
  });
  const { id } = body.identity;
  const inbound = async () => (await app.admin.rest('GET', `${O}/identities/${id}`)).body.identity;
  const page = await browser.page(app.admin, `/settings/identities/${id}`);
  const letters = page.getByRole('form', { name: 'What recipients see' });
  await letters.getByLabel('Signature').fill('Ben\nBridges Ltd');
  await letters.getByLabel('Reply-to address').fill('desk@bridges.example');
  await letters.getByRole('button', { name: 'Save changes' }).click();
  await expect.poll(async () => (await inbound()).reply_to, SOON).toBe('desk@bridges.example');
  expect((await inbound()).signature_text).toBe('Ben\nBridges Ltd');

  const form = page.getByRole('form', { name: 'Incoming mail' });
  await form.getByText('Mailbox', { exact: true }).click();
  await form.getByLabel('IMAP host').fill('127.0.0.1');
  await form.getByLabel('IMAP user').fill('ben');
  await form.getByLabel('IMAP password').fill('correct-horse');
  await form.getByRole('button', { name: 'Save incoming mail' }).click();
  await form.getByRole('alert').filter({ hasText: 'host' }).waitFor();
  await form.getByLabel('IMAP host').fill('imap.bridges.example');
  await form.getByRole('button', { name: 'Save incoming mail' }).click();
  await expect
    .poll(async () => (await inbound()).inbound, SOON)
    .toMatchObject({
      kind: 'imap',
      host: 'imap.bridges.example',
      port: 993,
      mailbox: 'INBOX',
      has_secret: true,
    });
  await page.getByPlaceholder('Leave empty to keep the saved password').waitFor();
  expect(await page.content()).not.toContain('correct-horse');
  await app.sql`insert into mailboxes ${app.sql({
    id: randomUUID(),
    identity_id: id,
    role: 'inbox',
    trouble: 'The mail server refuses the password.',
    trouble_since: app.clock.now(),
    due_at: new Date(app.clock.now().getTime() + 86_400_000),
  })}`;
  await page.reload();
  await page
    .getByText('The mailbox isn’t being read: The mail server refuses the password.')
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Test connection' }).click();
  await page.getByRole('list', { name: 'Test results: incoming mail' }).waitFor();
  await expectAccessibleCrosswise(page);
  await page.close();
});

test('a key is saved without being shown again, and the vendor can then be asked to report', async () => {
  const page = await browser.page(app.admin, '/settings/integrations');
  const reports = page.getByRole('region', { name: /Resend webhook/ });
  await reports.getByText('not registered').waitFor();
  await reports.getByRole('button', { name: 'Register' }).and(page.locator('[aria-disabled]')).waitFor();
  const keys = page.getByRole('region', { name: 'Provider keys' });
  await keys.getByRole('group', { name: 'Resend' }).getByRole('button', { name: 'Add a key' }).click();
  const form = page.getByRole('form', { name: 'Resend key' });
  await form.getByLabel('API key').fill('re_0123456789abcdef');
  await form.getByRole('button', { name: 'Save key' }).click();
  await keys.getByText('•••• cdef').waitFor();
  expect(await page.content()).not.toContain('re_0123456789');
  await reports
    .getByRole('button', { name: 'Register' })
    .and(page.locator(':not([aria-disabled])'))
    .waitFor();
  await expectAccessibleCrosswise(page);
  await page.close();
});
