// Text of strangers that was written to cost as much as it can: whatever door it comes in by, the process answers everybody
// else meanwhile, and the text goes where it belongs.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { held, HELD_AT_MOST_MS } from '../support/held.ts';
import { openTestHouse, type TestHouse } from '../support/house.ts';
import { arrives, landed, mailBytes } from '../support/inbound.ts';
import { aCampaign, aDesk } from '../support/letters.ts';
import { sentLetter } from '../support/sent.ts';

let house: TestHouse;
beforeAll(async () => {
  house = await openTestHouse();
});
afterAll(() => house.close());

async function posted(message: string): Promise<{ text: string; reading: string }> {
  const made = await house.admin.rest('POST', '/api/admin/forms', { name: 'Contact' });
  const email = `dana.${randomUUID().slice(0, 8)}@acme.example`;
  const answer = await fetch(`${house.url}${new URL(made.body.form.url).pathname}`, {
    method: 'POST',
    body: new URLSearchParams({ email, message }),
  });
  expect(answer.status, await answer.text()).toBe(200);
  const [touch] = await house.sql<{ text: string; reading: string }[]>`
    select text, reading from touches where from_address = ${email}`;
  return touch!;
}

test.each([
  ['four lines', 4],
  ['30 KB', 190],
])('hole D1: a form post of dotted words, %s, is read within its deadline', async (_, lines) => {
  const message = `${',dank'}${'.'.repeat(150)}1\n`.repeat(lines).trim();
  const { made, held_ms } = await held(house, () => posted(message));
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
  const letter = await sentLetter(house, await aCampaign(house, await aDesk(house)));
  const text = `Tuesday is fine.\r\n${drawn}\r\n-----Original Message-----\r\nDear Dana`;
  const bytes = mailBytes({
    from: `Dana Roe <${letter.person.address}>`,
    in_reply_to: letter.message_id,
    text,
  });
  const { made, held_ms } = await held(house, async () => landed(house, await arrives(house, bytes)));
  expect(made).toMatchObject({ state: 'landed', touch: { reading: 'unread' } });
  expect(made.touch?.['text']).toContain('Tuesday is fine.');
  expect(held_ms).toBeLessThan(HELD_AT_MOST_MS);
});
