// Markdown of others in Chromium: descriptions of items and comments that mean to run, to load or to lead to a script.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, SCREENS, type TestBrowser } from '../support/browser.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { payloads } from './payloads.ts';

let app: TestApp;
let browser: TestBrowser;
let outside: Server;
let there: string;
const asked: string[] = [];
beforeAll(async () => {
  app = await openTestApp({ screens: SCREENS });
  browser = await openBrowser(app);
  outside = createServer((request, answer) => {
    asked.push(request.url ?? '');
    answer.end();
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

test('descriptions and comments that mean harm run nothing, load nothing, and link to no script', async () => {
  const js = 'javascript:window.ran=1';
  const marks = [
    `[lure](${js})`,
    `[lure](<${js}>)`,
    `[lure](java\tscript:window.ran=1)`,
    `[lure](&#106;avascript:window.ran=1)`,
    `[lure](data:text/html,<script>window.ran=1</script>)`,
    `<${js}>`,
    `![x](${there}/markdown.gif)`,
    `![x](${js})`,
    `[![x](${there}/nested.gif)](${js})`,
    `[x]: ${js}\n\n[x]`,
    `\`\`\`html\n<script>window.ran=1</script>\n\`\`\``,
    `**<img src=x onerror="window.ran=1">**`,
  ];
  const texts = [...marks, ...Object.values(payloads(there))].map((text) => text.replaceAll('\0', ''));
  await app.admin.rest('POST', '/api/work/projects', { key: 'OUT', name: 'Outreach' });
  for (let from = 0; from < texts.length; from += 20) {
    const some = texts.slice(from, from + 20);
    const made = await app.admin.rest('POST', '/api/work/items', {
      project: 'OUT',
      title: `Card ${from}`,
      description: some[0],
    });
    const item = made.body.item ?? made.body;
    for (const [i, text] of some.entries()) {
      const said = await app.admin.rest('POST', `/api/work/items/${item.id}/comments`, {
        text: `end-${i}\n\n${text}`,
      });
      expect(said.status, JSON.stringify(said.body)).toBe(201);
    }
    const page = await browser.page(app.admin, `/work/OUT/${item.key}`);
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await page
      .getByText(`end-${some.length - 1}`)
      .first()
      .waitFor();
    await page.waitForTimeout(1_000);
    expect(await page.evaluate(() => 'ran' in window)).toBe(false);
    const found = await page.evaluate(
      (origin) =>
        [...document.querySelectorAll('main *')].flatMap((element) =>
          [...element.attributes]
            .filter(
              ({ name, value }) =>
                /^on|^srcdoc$|^formaction$|^ping$/i.test(name) ||
                /^(javascript|vbscript|data:text)/i.test(value.trim()) ||
                (/^(src|srcset|poster|data|background|style|action)$/i.test(name) && value.includes(origin)),
            )
            .map(({ name, value }) => `${element.tagName} ${name}=${value}`),
        ),
      there,
    );
    expect(found).toEqual([]);
    expect(await page.locator('main script, main iframe, main object, main embed, main base').count()).toBe(
      0,
    );
    expect([asked, dialogs]).toEqual([[], []]);
    await page.close();
  }
});
