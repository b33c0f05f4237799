// Campaigns in a real browser: from a name to letters that leave. Steps are written and ordered, people are looked at before
// they are enrolled, and nothing starts while a check fails.
import type { Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newProject } from '../support/board.ts';
import { expectAccessibleCrosswise, openBrowser, SCREENS, type TestBrowser } from '../support/browser.ts';
import {
  anIdentity,
  aPostalAddress,
  enrolled,
  newCampaign,
  O,
  readyCampaign,
  saveSteps,
} from '../support/campaigns.ts';
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

/** Loopback under the load of the other test files. */
const SOON = { timeout: 60_000 };
const LONG_MS = 120_000;

const read = async (campaign: string) =>
  (await app.admin.rest('GET', `${O}/campaigns/${campaign}`)).body.campaign;
const steps = async (campaign: string) =>
  (await app.admin.rest('GET', `${O}/campaigns/${campaign}/sequence`)).body.sequence.steps;
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
const idIn = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1) ?? '';

test(
  'a first campaign is made, and says what it still needs',
  async () => {
    const page = await browser.page(app.admin, '/campaigns');
    await page.getByRole('button', { name: 'Create campaign' }).click();
    const form = page.getByRole('form', { name: 'New campaign' });
    await form.getByLabel('Name').fill('Head offices');
    await form.getByRole('button', { name: 'Create draft' }).click();
    await page.getByRole('heading', { name: 'Before you activate' }).waitFor();
    await expect
      .poll(() => read(idIn(page)))
      .toMatchObject({
        name: 'Head offices',
        state: 'draft',
        review_policy: 'every_letter',
      });
    await expectAccessibleCrosswise(page);
    await page.close();
  },
  LONG_MS,
);

test(
  'three steps are written, ordered by the keyboard and saved, and the letter is seen as it will arrive',
  async () => {
    const { id } = await newCampaign(app.admin, { name: 'Three steps' });
    await enrolled(app, id, { given: 'Dana' });
    const page = await browser.page(app.admin, `/campaigns/${id}?view=steps`);
    await page.getByRole('button', { name: 'Write the first letter' }).click();
    await page.getByRole('textbox', { name: 'Subject' }).fill('Hello {{ person.given }}');
    await page.getByRole('textbox', { name: 'Text' }).fill('Dear ');
    await page.getByRole('button', { name: 'Merge field' }).click();
    await page.getByRole('menuitem', { name: 'person.given', exact: true }).click();
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Text' }).inputValue())
      .toBe('Dear {{ person.given }}');
    // The preview follows what is typed, before anything is saved.
    const preview = page.getByRole('complementary', { name: 'Preview' });
    await preview.getByText('Hello Dana').waitFor();
    expect(await steps(id)).toEqual([]);
    for (const kind of ['Letter', 'Task']) {
      await page.getByRole('button', { name: 'Add step' }).click();
      await page.getByRole('menuitem', { name: kind }).click();
      if (kind === 'Letter') await page.getByRole('textbox', { name: 'Text' }).fill('One more thing.');
      else await page.getByRole('textbox', { name: 'Title' }).fill('Call {{ person.name }}');
    }
    const up = page.getByRole('button', { name: /^Move up: 3\. Task/ });
    await up.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save steps' }).click();
    await expect
      .poll(async () => (await steps(id)).map(({ kind }: { kind: string }) => kind), SOON)
      .toEqual(['letter', 'task', 'letter']);
    await page.getByRole('button', { name: /^1\. Hello/ }).click();
    await preview.getByText('Hello Dana').waitFor();
    await expectAccessibleCrosswise(page);
    await page.close();
  },
  LONG_MS,
);

test(
  'a fault is said at its step, and what an edit sends back to review is said before it is saved',
  async () => {
    const { id } = await newCampaign(app.admin, { name: 'Faults' });
    await saveSteps(app.admin, id, [{ kind: 'letter', subject: 'Hello', text: 'Hello' }]);
    const page = await browser.page(app.admin, `/campaigns/${id}?view=steps`);
    await page.getByRole('textbox', { name: 'Text' }).fill('Dear {{ person.nickname_of_none }}');
    await page.getByText('1 letter changed').waitFor();
    await page.getByRole('button', { name: 'Save steps' }).click();
    await page.getByRole('region', { name: 'Step 1' }).getByText('there is no merge field').waitFor();
    await tab(page, 'People').click();
    await page.getByRole('dialog').getByText('unsaved changes').waitFor();
    await page.close();
  },
  LONG_MS,
);

test(
  'people are enrolled by name after a look at who is refused',
  async () => {
    const { id } = await newCampaign(app.admin, { name: 'People' });
    const { person_id } = await enrolled(app, id, { given: 'Inside' });
    const other = await newCampaign(app.admin, { name: 'Other' });
    const outside = await enrolled(app, other.id, { given: 'Outside' });
    expect(outside.person_id).not.toBe(person_id);
    const page = await browser.page(app.admin, `/campaigns/${id}?view=people&new=people`);
    const form = page.getByRole('form', { name: 'Enrol people' });
    await form.getByText('People by name').click();
    for (const name of ['Inside', 'Outside']) {
      await form.getByPlaceholder('No one').click();
      await page.getByRole('option', { name: `${name} Roe` }).click();
    }
    await form.getByRole('button', { name: 'Preview' }).click();
    await form.getByText('1 person would be enrolled').waitFor();
    await form.getByText('Already in this campaign', { exact: true }).waitFor();
    await expectAccessibleCrosswise(page);
    await form.getByRole('button', { name: 'Enrol 1 person' }).click();
    await expect.poll(async () => (await read(id)).counts.people, SOON).toBe(2);
    await page.close();
  },
  LONG_MS,
);

test(
  'someone is held back with a reason, and released',
  async () => {
    const { id } = await newCampaign(app.admin, { name: 'Holds' });
    const { prospect_id } = await enrolled(app, id);
    const page = await browser.page(app.admin, `/campaigns/${id}?view=people`);
    await page.getByRole('checkbox', { name: 'Select this row' }).click();
    const bar = page.getByRole('region', { name: 'Selected people' });
    await bar.getByRole('button', { name: 'Hold' }).click();
    const form = page.getByRole('form', { name: 'Put on hold' });
    await form.getByLabel('Reason').fill('The fair comes first');
    await form.getByRole('button', { name: 'Put on hold' }).click();
    await page.getByText('On hold by a person: The fair comes first').waitFor();
    await bar.getByRole('button', { name: 'Release' }).click();
    const hold = async () =>
      (await app.admin.rest('GET', `${O}/prospects/${prospect_id}`)).body.prospect.hold;
    await expect.poll(hold, SOON).toBeNull();
    await page.close();
  },
  LONG_MS,
);

test(
  'a check that fails keeps a campaign from starting, and says what to do; seen to, it starts',
  async () => {
    const postal_address_id = await aPostalAddress(app);
    await anIdentity(app, { columns: { name: 'Sam Sender' } });
    const { id } = await newCampaign(app.admin, { name: 'To start', postal_address_id });
    await saveSteps(app.admin, id, [{ kind: 'letter', subject: 'Hello', text: 'Hello' }]);
    await enrolled(app, id);
    const page = await browser.page(app.admin, `/campaigns/${id}?act=activate`);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: 'Required' }).waitFor();
    // Checks that wait for one cause are one line.
    expect(await dialog.getByText('Not checked: the pool has no identity.').count()).toBe(1);
    await dialog.getByText('4 checks', { exact: true }).waitFor();
    // It stays in reach, so that the reason can be heard, and does nothing.
    await dialog.getByRole('button', { name: 'Activate' }).click({ force: true });
    await expectAccessibleCrosswise(page);
    expect((await read(id)).state).toBe('draft');
    // A check leads to where it is fixed, and Back to the check.
    await dialog.getByRole('button', { name: /^Open settings: The pool has no identity/ }).click();
    await page.getByPlaceholder('Add an identity').waitFor();
    await page.goBack();
    await dialog.getByRole('button', { name: 'Not now' }).click();

    await tab(page, 'Settings').click();
    await page.getByPlaceholder('Add an identity').click();
    await page
      .getByRole('option', { name: /Sam Sender/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Save pool' }).click();
    await expect.poll(async () => (await read(id)).identity_pool.length, SOON).toBe(1);
    await page.getByRole('button', { name: 'Activate' }).click();
    await dialog.getByText('All required checks pass').waitFor();
    await dialog.getByText('Step 1: Hello').click();
    // A5: what changes while the dialog is open is read again before it is signed for.
    await saveSteps(await app.token(), id, [{ kind: 'letter', subject: 'Hello', text: 'Rewritten since' }]);
    await dialog.getByText('This campaign has changed').waitFor();
    await dialog.getByRole('button', { name: 'Activate' }).click({ force: true });
    expect((await read(id)).state).toBe('draft');
    await dialog.getByRole('button', { name: 'Reload' }).click();
    await dialog.getByText('Rewritten since').waitFor();
    await dialog.getByRole('button', { name: 'Activate' }).click();
    await expect.poll(async () => (await read(id)).state, SOON).toBe('active');
    await page.getByRole('button', { name: 'Pause' }).click();
    await expect.poll(async () => (await read(id)).state, SOON).toBe('paused');
    await page.close();
  },
  LONG_MS,
);

test(
  'letters leave unread only after someone read what that means for these very steps',
  async () => {
    const { id } = await readyCampaign(app, { name: 'Unread' });
    const page = await browser.page(app.admin, `/campaigns/${id}?view=settings`);
    await page.getByRole('radio', { name: 'No review' }).click();
    await page.getByRole('button', { name: 'Confirm…' }).click();
    const { sequence_revision } = await read(id);
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`in revision ${sequence_revision} of the steps`).waitFor();
    expect((await read(id)).review_policy).toBe('every_letter');
    await dialog.getByRole('button', { name: 'Send without review' }).click();
    await expect.poll(async () => (await read(id)).review_policy, SOON).toBe('none');
    await page.getByText(`for revision ${sequence_revision} of the steps`).waitFor();

    await page.getByLabel('Letters per day').fill('40');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await expect.poll(async () => (await read(id)).daily_cap, SOON).toBe(40);
    await expectAccessibleCrosswise(page);
    await page.close();
  },
  LONG_MS,
);

test(
  'pool, review policy and settings are changed on one page and saved one after the other, and only someone else’s change stops one',
  async () => {
    const { id } = await readyCampaign(app, { name: 'In parts' });
    const page = await browser.page(app.admin, `/campaigns/${id}?view=settings`);
    const weight = page.getByLabel(/^Weight of/);
    await weight.fill('3');
    await page.getByRole('radio', { name: 'First letters' }).click();
    await page.getByLabel('Letters per day').fill('41');
    await page.getByRole('button', { name: 'Save settings' }).click();
    await expect.poll(async () => (await read(id)).daily_cap, SOON).toBe(41);
    await page.getByRole('button', { name: 'Set review policy' }).click();
    await expect.poll(async () => (await read(id)).review_policy, SOON).toBe('first_touch');
    await page.getByRole('button', { name: 'Save pool' }).click();
    await expect.poll(async () => (await read(id)).identity_pool[0].weight, SOON).toBe(3);

    await page.getByRole('button', { name: 'Save pool' }).waitFor({ state: 'detached' });
    await weight.fill('4');
    const { revision } = await read(id);
    await app.admin.rest('PATCH', `${O}/campaigns/${id}`, { revision, name: 'Renamed meanwhile' });
    await page.getByRole('heading', { name: 'Renamed meanwhile' }).waitFor();
    await page.getByRole('button', { name: 'Save pool' }).click();
    await page.getByText('changed since you read it').waitFor();
    expect((await read(id)).identity_pool[0].weight).toBe(3);
    await page.close();
  },
  LONG_MS,
);

test(
  'a step that can’t be saved is named with its words beside the field, and what else was typed stays',
  async () => {
    const { id } = await newCampaign(app.admin, { name: 'One bad step' });
    await saveSteps(app.admin, id, [{ kind: 'letter', subject: 'Hello', text: 'Hello' }]);
    const page = await browser.page(app.admin, `/campaigns/${id}?view=steps`);
    await page.getByRole('textbox', { name: 'Text' }).fill('Hello again');
    await page.getByRole('button', { name: 'Add step' }).click();
    await page.getByRole('menuitem', { name: 'Letter' }).click();
    await page.getByRole('button', { name: /^1\. Hello/ }).click();
    await page.getByRole('button', { name: 'Save steps' }).click();
    await page.getByText('Nothing was saved. Fix step 2, then save again.').waitFor();
    const bad = page.getByRole('region', { name: 'Step 2' });
    await bad.getByText('A letter needs text').waitFor();
    expect(await bad.getByRole('textbox', { name: 'Text' }).getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByText(/steps\.\d/).count()).toBe(0);
    await bad.getByRole('textbox', { name: 'Text' }).fill('One more thing.');
    await page.getByRole('button', { name: 'Save steps' }).click();
    await expect
      .poll(async () => (await steps(id)).map(({ text }: { text: string }) => text), SOON)
      .toEqual(['Hello again', 'One more thing.']);
    await page.close();
  },
  LONG_MS,
);

test(
  'a postal address is made where a campaign needs one, and what was changed is in its history',
  async () => {
    const { id } = await newCampaign(app.admin, { name: 'Addressed' });
    const page = await browser.page(app.admin, `/campaigns/${id}?view=settings`);
    await page.getByRole('button', { name: 'Add address' }).click();
    const form = page.getByRole('form', { name: 'Add a postal address' });
    await form.getByLabel('Name').fill('Harbour');
    await form.getByLabel('Address').fill('Bridges Ltd\nQuay 1');
    await form.getByRole('button', { name: 'Add', exact: true }).click();
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Postal address under each letter' }).inputValue(), SOON)
      .toBe('Harbour: Bridges Ltd, Quay 1');
    // It is chosen, and saved only when the settings are.
    expect((await read(id)).postal_address_id).toBeNull();
    await page.getByRole('button', { name: 'Save settings' }).click();
    await expect.poll(async () => (await read(id)).postal_address_id, SOON).not.toBeNull();
    await tab(page, 'History').click();
    const history = page.getByRole('region', { name: 'Timeline' });
    await history.getByText('changed the settings').waitFor();
    await history.getByText('Postal address:').waitFor();
    await expectAccessibleCrosswise(page);
    await page.close();
  },
  LONG_MS,
);

test(
  'a task goes to the project and the person that were chosen',
  async () => {
    const { id } = await newCampaign(app.admin, { name: 'Tasks' });
    await newProject(app, { name: 'Calls of spring' });
    await saveSteps(app.admin, id, [{ kind: 'task', task: { title: 'Call them' } }]);
    const page = await browser.page(app.admin, `/campaigns/${id}?view=steps`);
    await page.getByRole('combobox', { name: 'Project' }).click();
    await page.getByRole('option', { name: /Calls of spring/ }).click();
    await page.getByRole('combobox', { name: 'Assigned to' }).click();
    await page.getByRole('option', { name: app.admin.name }).first().click();
    await page.getByRole('button', { name: 'Save steps' }).click();
    await expect.poll(async () => (await steps(id))[0].task.assignee, SOON).toBe(app.admin.id);
    expect((await steps(id))[0].task.project_id).not.toBeNull();
    await expectAccessibleCrosswise(page);
    await page.close();
  },
  LONG_MS,
);

test(
  'a template is written, renamed and deleted',
  async () => {
    const page = await browser.page(app.admin, '/settings/templates');
    await page.getByText('No templates yet').waitFor();
    await page.keyboard.press('n');
    const form = page.getByRole('form', { name: 'New template' });
    await form.getByLabel('Name').fill('First hello');
    await form.getByLabel('Text').fill('Hello {{ person.given }}');
    await form.getByRole('button', { name: 'Save template' }).click();
    await page.getByText('First hello', { exact: true }).click();
    const change = page.getByRole('form', { name: 'Edit template' });
    await change.getByLabel('Name').fill('A first hello');
    await expectAccessibleCrosswise(page);
    await change.getByRole('button', { name: 'Save template' }).click();
    await page.getByText('A first hello', { exact: true }).waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete template' }).click();
    await page.getByText('No templates yet').waitFor();
    await page.close();
  },
  LONG_MS,
);

test(
  'a campaign that sends shows its days in the list, its funnel, its letters by step and its history',
  async () => {
    expect((await app.admin.rest('POST', '/api/admin/samples', {})).status).toBe(201);
    const page = await browser.page(app.admin, '/campaigns');
    await page
      .getByText(/letters?, .* in 14 days/)
      .first()
      .waitFor({ state: 'attached' });
    await expectAccessibleCrosswise(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    const { items } = (await app.admin.rest('GET', `${O}/campaigns?state=active`)).body;
    const busy = items.find(({ counts }: { counts: { sent: number } }) => counts.sent > 0);
    await page.goto(`${app.url}/campaigns/${busy.id}`);
    const table = page.getByRole('group', { name: 'Letters by step, table' });
    await table.getByRole('columnheader', { name: 'Reply rate' }).waitFor();
    expect(await table.getByRole('row').count()).toBeGreaterThan(1);
    await page.getByText(/% of enrolled/).waitFor();
    await page.getByText('Replies by day').first().waitFor();
    await expectAccessibleCrosswise(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await tab(page, 'History').click();
    await page.getByRole('region', { name: 'Timeline' }).getByText('activated the campaign').waitFor();
    await page.close();
  },
  LONG_MS,
);
