// Mail of strangers in Chromium: what means to run, to load or to lead away is landed as any mail is, and what is kept of it is
// opened without the frame that the screens put around it. The same markup as it came shows that the trap is set.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, SCREENS, type TestBrowser } from '../support/browser.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { comesIn } from '../support/inbound.ts';
import { aTalk, inboxDesk, type Talk } from '../support/inbox.ts';
import { payloads } from './payloads.ts';

let app: TestApp;
let browser: TestBrowser;
let outside: Server;
let there: string;
const asked: string[] = [];
/** What is kept of each mail. */
const served: string[] = [];
beforeAll(async () => {
  app = await openTestApp({ screens: SCREENS });
  browser = await openBrowser(app);
  outside = createServer((request, answer) => {
    const path = request.url ?? '';
    const [, kind, i] = /^\/(bare|served)\/(\d+)$/.exec(path) ?? [];
    if (i === undefined) asked.push(path);
    const pages = kind === 'served' ? served : Object.values(payloads(there));
    const page = i === undefined ? 'ran' : pages[Number(i)];
    answer.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
  });
  await new Promise<void>((open) => outside.listen(0, '127.0.0.1', open));
  there = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
  outside?.closeAllConnections();
  outside?.close();
});

/** A mail of HTML alone, byte for byte as it would come. */
async function lands(talk: Talk, html: string, marker: string): Promise<string> {
  app.clock.advance(60_000);
  const body = Buffer.from(`<p>${marker}</p>${html}`)
    .toString('base64')
    .replace(/(.{76})/g, '$1\r\n');
  const mail = [
    `From: Eve Five <${talk.person.address}>`,
    'To: ada@desk.example',
    'Subject: Re: Your bridge',
    `Message-ID: <${marker}@acme.example>`,
    `In-Reply-To: ${talk.letter.message_id}`,
    `Date: ${app.clock.now().toUTCString()}`,
    'MIME-Version: 1.0',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    body,
    '',
  ].join('\r\n');
  const { state, touch } = await comesIn(app, Buffer.from(mail));
  expect(state, marker).toBe('landed');
  return String(touch?.['id']);
}

test('more than sixty mails that mean harm run nothing and load nothing once they are cleaned, even outside the frame', async () => {
  const all = Object.entries(payloads(there));
  expect(all.length).toBeGreaterThanOrEqual(60);
  const eve = await aTalk(app, await inboxDesk(app), 'Eve Five');
  for (const [i, [name, html]] of all.entries()) {
    const id = await lands(eve, html, `marker-${i}-end`);
    const answer = await app.admin.rest('GET', `/api/threads/${eve.id}/touches/${id}`);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    served.push(`<p>${name}</p>${answer.body.touch.html ?? ''}`);
  }
  asked.length = 0;
  const page = await browser.page(app.admin, '/inbox', { fresh: true });
  const bare = await page.context().newPage();
  const dialogs: string[] = [];
  bare.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  for (const [i, [name]] of all.entries()) {
    asked.length = 0;
    await bare.goto(`${there}/served/${i}`);
    for (const lure of await bare.locator('.lure').all())
      await lure.click({ timeout: 300, noWaitAfter: true, force: true }).catch(() => undefined);
    await bare.waitForTimeout(50);
    expect(
      asked.filter((path) => path !== '/favicon.ico'),
      name,
    ).toEqual([]);
    expect(await bare.evaluate(() => 'ran' in window), name).toBe(false);
    expect(await bare.evaluate(dangers), name).toEqual([]);
    expect(bare.url(), name).toBe(`${there}/served/${i}`);
  }
  expect(dialogs).toEqual([]);
  await page.close();
});

test('the same mails as they came, each in the frame of the inbox, run nothing and load nothing', async () => {
  const sam = await aTalk(app, await inboxDesk(app), 'Sam Seven');
  await sam.writes({ text: 'Read this', html: '<p id="said">Read this</p>' });
  const page = await browser.page(app.admin, `/inbox?state=all&open=${sam.id}`, { fresh: true });
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await page.getByRole('button', { name: 'Show formatting' }).click();
  await page.frameLocator('iframe').getByText('Read this').waitFor();
  asked.length = 0;
  const all = Object.entries(payloads(there));
  for (const [name, html] of all) {
    // As it would be if every cleaning had failed: the frame alone holds it.
    await page.locator('iframe').evaluate((frame: HTMLIFrameElement, mail: string) => {
      const [head = ''] = frame.srcdoc.split('</style>');
      frame.srcdoc = `${head}</style><p class="come">${mail.length}</p>${mail}`;
    }, html);
    const mail = page.frameLocator('iframe');
    await mail.locator('.come').waitFor({ state: 'attached' });
    for (const lure of await mail.locator('.lure').all())
      await lure.click({ timeout: 300, noWaitAfter: true, force: true }).catch(() => undefined);
    await page.waitForTimeout(50);
    expect(
      asked.filter((path) => path !== '/favicon.ico'),
      name,
    ).toEqual([]);
    expect(await page.evaluate(() => 'ran' in window), name).toBe(false);
    expect(new URL(page.url()).pathname, name).toBe('/inbox');
  }
  expect(dialogs).toEqual([]);
  expect(page.context().pages()).toHaveLength(1);
  await page.close();
});

/** In the page: what could run, load or send, by its name or its value. */
const dangers = (): string[] =>
  [...document.querySelectorAll('*')].flatMap((element) => [
    ...(/^(script|iframe|object|embed|base|link|form|svg|math|video|audio|template|meta)$/i.test(
      element.tagName,
    )
      ? [element.tagName]
      : []),
    ...[...element.attributes]
      .filter(
        ({ name, value }) =>
          /^on|^srcset$|^ping$|^formaction$|^srcdoc$|^background$/i.test(name) ||
          // oxlint-disable-next-line no-control-regex
          /^(javascript|vbscript|data:text)/i.test(value.replace(/[\u0000-\u0020]/g, '')),
      )
      .map(({ name, value }) => `${element.tagName} ${name}=${value}`),
  ]);

test('the same markup on a bare page is heard of', async () => {
  const page = await browser.page(app.admin, '/inbox', { fresh: true });
  page.on('dialog', (dialog) => {
    asked.push('/dialog');
    void dialog.dismiss();
  });
  const bare = await page.context().newPage();
  bare.on('dialog', (dialog) => {
    asked.push('/dialog');
    void dialog.dismiss();
  });
  const trapped: string[] = [];
  for (const [i, name] of Object.keys(payloads(there)).entries()) {
    asked.length = 0;
    await bare.goto(`${there}/bare/${i}`, { timeout: 5_000 }).catch(() => undefined);
    await bare.waitForTimeout(100);
    const here = await bare.evaluate(() => 'ran' in window).catch(() => false);
    if (asked.some((path) => path !== '/favicon.ico') || here) trapped.push(name);
  }
  // What waits for a click, or for an older browser, is not among them.
  expect(trapped).toEqual(
    expect.arrayContaining([
      'script',
      'img onerror',
      'svg onload',
      'img from elsewhere',
      'style import',
      'iframe',
    ]),
  );
  await page.close();
});
