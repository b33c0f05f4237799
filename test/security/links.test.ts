// Links and signatures of another instance, or of an account that is no longer ours, are worth nothing here.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unsubscribeToken } from '../../src/features/outreach/unsubscribes/token.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { aCampaign, aDesk, aLetter } from '../support/letters.ts';
import { eventOf, postSigned } from '../support/resend.ts';
import { sentLetter } from '../support/sent.ts';
import { asTaken, openVendorApp, type VendorApp, WEBHOOK } from '../support/vendor.ts';

let desk: VendorApp;
let other: TestApp;
beforeAll(async () => {
  desk = await openVendorApp();
  other = await openTestApp();
});
afterAll(async () => {
  await other?.close();
  await desk?.close();
});

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const post = (token: string) =>
  fetch(`${desk.app.url}/u/${token}`, {
    method: 'POST',
    body: 'List-Unsubscribe=One-Click',
    headers: FORM,
  });
const suppressions = async () =>
  (await desk.app.sql<{ n: number }[]>`select count(*)::int as n from suppressions`)[0]?.n;

test('an unsubscribe link made by another instance, for a letter of ours, is not ours', async () => {
  const { send_id } = await aLetter(desk.app, desk.campaign);
  const before = await suppressions();
  for (const token of [
    unsubscribeToken(other.instance.app.sealer, send_id),
    unsubscribeToken(desk.app.instance.app.sealer, randomUUID()),
  ])
    expect((await post(token)).status).toBe(404);
  expect(await suppressions()).toBe(before);
  expect((await post(unsubscribeToken(desk.app.instance.app.sealer, send_id))).status).toBe(200);
  expect(await suppressions()).toBe((before ?? 0) + 1);
});

test('a link in other letters of the alphabet, with more behind it, or under another method changes nothing', async () => {
  const { send_id } = await aLetter(desk.app, await aCampaign(desk.app, await aDesk(desk.app)));
  const token = unsubscribeToken(desk.app.instance.app.sealer, send_id);
  const before = await suppressions();
  for (const wrong of [
    token.toLowerCase(),
    token.toUpperCase(),
    `${token}=`,
    `${token}%00`,
    `${token}/`,
    ` ${token}`,
  ])
    expect((await post(encodeURI(wrong))).status, wrong).toBeGreaterThanOrEqual(400);
  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])
    await fetch(`${desk.app.url}/u/${token}?List-Unsubscribe=One-Click`, { method });
  expect(await suppressions()).toBe(before);
});

test('an event signed with the secret of a webhook that was removed, or of another account, is refused', async () => {
  await desk.registered();
  const letter = await sentLetter(desk.app, desk.campaign);
  const endpoint = `${desk.app.url}/hooks/vendor/resend`;
  const secrets = desk.vendor.webhooks[0]?.secrets ?? [];
  const now = desk.app.clock.now();
  const complaint = () => eventOf('email.complained', asTaken(letter), {}, now);
  const another = [`whsec_${Buffer.from('of another account of the same vendor').toString('base64')}`];
  expect(await postSigned(endpoint, another, complaint(), now)).toBe(401);
  const removed = await desk.wire.rest('DELETE', WEBHOOK, { provider: 'resend' });
  expect(removed.status, JSON.stringify(removed.body)).toBe(200);
  expect(await postSigned(endpoint, secrets, complaint(), now)).toBe(401);
  expect(await desk.deliveryOf(letter)).toBe('accepted');
  expect(await desk.reasonsOn(letter)).toEqual([]);
});
