// The page of an identity that can't send, in a real browser: what is wrong and what fixes it, the server's own words apart, and
// where its bounces go.
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  TROUBLE_KINDS,
  TROUBLES,
  type TroubleKind,
} from '../../src/features/outreach/identities/trouble/trouble.rules.ts';
import { holdIdentity } from '../../src/features/outreach/identities/trouble/trouble.store.ts';
import { expectAccessibleCrosswise, openBrowser, SCREENS, type TestBrowser } from '../support/browser.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { O } from '../support/letters.ts';

let app: TestApp;
let browser: TestBrowser;
let id: string;

beforeAll(async () => {
  app = await openTestApp({ screens: SCREENS });
  browser = await openBrowser(app);
  const made = async (path: string, body: object) =>
    (await app.admin.rest('POST', `${O}/${path}`, body)).body;
  await made('domains', { name: 'mail.bridges.example' });
  const transport = {
    kind: 'smtp',
    host: 'smtp.bridges.example',
    port: 587,
    security: 'starttls',
    user: 'ann',
  };
  const { identity } = await made('identities', {
    name: 'Ann Example',
    address: 'ann@mail.bridges.example',
    transport: { ...transport, secret: 'of-my-own' },
  });
  id = identity.id;
  await app.sql`update identities set active = true, state_reason = null`;
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
});

const WORDS = '553 5.7.1 Sender address rejected: not owned by user ann <script>alert(1)</script>';

async function hold(kind: TroubleKind): Promise<void> {
  await app.sql`update identities set trouble = null, trouble_since = null`;
  const [row] = await app.sql<{ revision: number }[]>`select revision from identities`;
  const isTls = /^(certificate|tls)/.test(kind);
  await app.sql.begin((tx) =>
    holdIdentity(
      tx as never,
      { id, revision: row!.revision },
      {
        kind,
        code: isTls ? null : 553,
        enhanced: isTls ? null : '5.7.1',
        words: isTls ? null : WORDS,
        expired_at: kind === 'certificate_expired' ? new Date('2026-11-03') : null,
      },
      app.clock.now(),
    ),
  );
}

test.each(TROUBLE_KINDS)('%s is said with what fixes it', async (kind) => {
  await hold(kind);
  const page = await browser.page(app.admin, `/settings/identities/${id}`);
  const alert = page.getByRole('alert');
  await alert.getByText(TROUBLES[kind].says).waitFor();
  await alert.getByText(TROUBLES[kind].fix).waitFor();
  const said = alert.getByRole('blockquote');
  if (/^(certificate|tls)/.test(kind)) expect(await said.count()).toBe(0);
  else expect(await said.textContent()).toBe(WORDS);
  if (kind === 'sender_refused' || kind === 'certificate_expired') await expectAccessibleCrosswise(page);
  await page.close();
});

test('its bounces have a section: the envelope sender, and a probe that is closed with a reason', async () => {
  const page = await browser.page(app.admin, `/settings/identities/${id}`);
  await page.getByText('Not tested yet.').waitFor();
  await page.getByLabel('Envelope sender').selectOption('own');
  await page.getByText('matched by Message-ID').first().waitFor();
  const { body } = await app.admin.rest('GET', `${O}/identities/${id}`);
  expect(body.identity).toMatchObject({ envelope_sender: 'own' });
  await expectAccessibleCrosswise(page);
  await page.close();
});
