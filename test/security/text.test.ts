// Text of strangers that was written to cost as much as it can: whatever entry point it comes in by, the process answers everyone
// else meanwhile, and the text goes where it belongs.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { held, HELD_AT_MOST_MS } from '../support/held.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { arrives, landed, mailBytes } from '../support/inbound.ts';
import { aCampaign, aDesk } from '../support/letters.ts';
import { sentLetter } from '../support/sent.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

async function posted(message: string): Promise<{ text: string; reading: string }> {
  const made = await app.admin.rest('POST', '/api/admin/forms', { name: 'Contact' });
  const email = `dana.${randomUUID().slice(0, 8)}@acme.example`;
  const answer = await fetch(`${app.url}${new URL(made.body.form.url).pathname}`, {
    method: 'POST',
    body: new URLSearchParams({ email, message }),
  });
  expect(answer.status, await answer.text()).toBe(200);
  const [touch] = await app.sql<{ text: string; reading: string }[]>`
    select text, reading from touches where from_address = ${email}`;
  return touch!;
}

test.each([
  ['four lines', 4],
  ['30 KB', 190],
])('hole D1: a form post of dotted words, %s, is read within its deadline', async (_, lines) => {
  const message = `${',dank'}${'.'.repeat(150)}1\n`.repeat(lines).trim();
  const { made, held_ms } = await held(app, () => posted(message));
  expect(made).toEqual({ text: message, reading: 'unread' });
  expect(held_ms).toBeLessThan(HELD_AT_MOST_MS);
});

test('hole D1: what a form is told is still read by rule', async () => {
  expect(await posted('Hello,\nplease unsubscribe me. Many thanks, Dana Roe')).toMatchObject({
    reading: 'unsubscribe',
  });
});

test.each([
  ['2,500 dashes', `${'-'.repeat(2_500)}x`],
  ['30 KB of dashes', `${'-'.repeat(30_000)}x`],
  ['200 KB of dashes', `${'-'.repeat(200_000)}x`],
])('hole D2: a mail with %s above what it quotes lands, and nobody waits for it', async (_, drawn) => {
  const letter = await sentLetter(app, await aCampaign(app, await aDesk(app)));
  const text = `Tuesday is fine.\r\n${drawn}\r\n-----Original Message-----\r\nDear Dana`;
  const bytes = mailBytes({
    from: `Dana Roe <${letter.person.address}>`,
    in_reply_to: letter.message_id,
    text,
  });
  const { made, held_ms } = await held(app, async () => landed(app, await arrives(app, bytes)));
  expect(made).toMatchObject({ state: 'landed', touch: { reading: 'unread' } });
  expect(made.touch?.['text']).toContain('Tuesday is fine.');
  expect(held_ms).toBeLessThan(HELD_AT_MOST_MS);
});
