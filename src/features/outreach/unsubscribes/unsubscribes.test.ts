// The way out of a letter (RFC 8058, domain.md §6.1): looking changes nothing, one post stops everything in one transaction, by
// anyone's mail program, from anywhere, and no one makes a link for someone else.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../test/support/app.ts';
import {
  aCampaign,
  aDesk,
  aLetter,
  approved,
  drafted,
  enrolled,
  O,
  readSend,
  type TestCampaign,
} from '../../../../test/support/letters.ts';
import { standingAmong } from '../../crm/suppressions/store.ts';
import { asksToStop } from './hooks.ts';
import { masked } from './page.ts';
import { offersOutgoingMail, readUnsubscribeToken, unsubscribeToken, unsubscribeUrl } from './token.ts';

let app: TestApp;
let campaign: TestCampaign;
beforeAll(async () => {
  app = await openTestApp();
  campaign = await aCampaign(app, await aDesk(app));
});
afterAll(async () => app.close());

const linkOf = (send_id: string) => `${app.url}/u/${unsubscribeToken(app.instance.app.sealer, send_id)}`;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const post = (url: string, body = 'List-Unsubscribe=One-Click', headers: Record<string, string> = FORM) =>
  fetch(url, { method: 'POST', body, headers, redirect: 'manual' });
const suppressed = async (hash: string) =>
  (await standingAmong(app.sql, [{ hash, domain: 'acme.example' }], app.clock.now())).get(hash)?.reason ??
  null;
const stagesOf = (person: string) =>
  app.sql<{ stage: string; ended: string | null }[]>`
    select stage, ended from prospects where person_id = ${person} order by id`;

describe('looking at the link', () => {
  test('shows a page with one button, and changes nothing, however often and with whatever method a scanner looks', async () => {
    const { send_id, person } = await aLetter(app, campaign);
    for (const method of ['GET', 'HEAD', 'GET']) {
      const page = await fetch(linkOf(send_id), { method, redirect: 'manual' });
      expect(page.status).toBe(200);
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    }
    expect(await suppressed(person.hash)).toBeNull();
    expect((await readSend(app.admin, send_id)).send.state).toBe('review');
  });

  test('brings nothing from elsewhere: no script, no cookie, no frame, and the link stays with its owner', async () => {
    const { send_id } = await aLetter(app, campaign);
    const page = await fetch(linkOf(send_id));
    const html = await page.text();
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.getSetCookie()).toEqual([]);
    expect(html).not.toMatch(/<script|src=|href=|https?:/i);
    expect(html).toContain('<html lang="en">');
    expect(html).toMatch(
      /<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click">/,
    );
    expect(html).toContain('d…@acme.example');
  });

  test('with a link that is not ours is a page that says so, and 404', async () => {
    const { send_id } = await aLetter(app, campaign);
    const right = unsubscribeToken(app.instance.app.sealer, send_id);
    const flipped = `${right.slice(0, 30)}${right[30] === 'A' ? 'B' : 'A'}${right.slice(31)}`;
    for (const token of [flipped, right.slice(0, 42), `${right}A`, 'x', '%00', 'a'.repeat(90), '..%2f..'])
      for (const method of ['GET', 'POST'] as const) {
        const answer = await fetch(`${app.url}/u/${token}`, {
          method,
          ...(method === 'POST' && { body: 'List-Unsubscribe=One-Click', headers: FORM }),
        });
        expect([token, answer.status]).toEqual([token, 404]);
      }
  });
});

describe('posting the one-click field', () => {
  test('stops every letter to the person in every campaign, in one act, without cookie, sign-in or redirect', async () => {
    const { send_id, person, prospect_id } = await aLetter(app, campaign);
    const other = await aCampaign(app, campaign, { exclusive: false });
    const second = await drafted(app, other, await enrolled(app, other, person));
    await approved(app.admin, second);
    const answer = await post(linkOf(send_id));
    expect([answer.status, answer.headers.get('location')]).toEqual([200, null]);
    expect(await answer.text()).toContain('You are unsubscribed');
    expect(await suppressed(person.hash)).toBe('unsubscribe');
    expect(await stagesOf(person.id)).toEqual(
      Array(2).fill({ stage: 'unsubscribed', ended: 'unsubscribed' }),
    );
    for (const id of [send_id, second])
      expect((await readSend(app.admin, id)).send).toMatchObject({
        state: 'cancelled',
        cancel_reason: 'unsubscribed',
      });
    const [row] = await app.sql`select * from suppressions where value_hash = ${person.hash}`;
    expect(row).toMatchObject({ source: 'send', source_ref: send_id, campaign_id: campaign.id });
    expect(prospect_id).toBeTruthy();
    const audit = await app.admin.rest('GET', '/api/admin/audit?limit=20');
    expect(audit.body.items.find((each: { act: string }) => each.act === 'unsubscribe')).toMatchObject({
      resource: `outreach:send/${send_id}`,
    });
  });

  test('is answered the same the second time, and ten at once leave one row', async () => {
    const { send_id, person } = await aLetter(app, campaign);
    const all = await Promise.all(Array.from({ length: 10 }, () => post(linkOf(send_id))));
    expect(all.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect((await post(linkOf(send_id))).status).toBe(200);
    expect(await app.sql`select 1 from suppressions where value_hash = ${person.hash}`).toHaveLength(1);
  });

  test('works as a multipart form, and from any page or program: no one is asked where they come from', async () => {
    for (const way of ['multipart', 'foreign'] as const) {
      const { send_id, person } = await aLetter(app, campaign);
      const form = new FormData();
      form.set('List-Unsubscribe', 'One-Click');
      const answer =
        way === 'multipart'
          ? await fetch(linkOf(send_id), { method: 'POST', body: form })
          : await post(linkOf(send_id), undefined, { ...FORM, origin: 'https://mail.example' });
      expect(answer.status).toBe(200);
      expect(await suppressed(person.hash)).toBe('unsubscribe');
    }
  });

  test('and nothing else: any other post is shown the button', async () => {
    const { send_id, person } = await aLetter(app, campaign);
    for (const body of ['', 'x=1', 'List-Unsubscribe=Two-Clicks', '{"List-Unsubscribe":"One-Click"}'])
      expect(await (await post(linkOf(send_id), body)).text()).toContain('No more letters?');
    expect((await post(linkOf(send_id), 'x'.repeat(20_000))).status).toBe(413);
    expect(await suppressed(person.hash)).toBeNull();
  });

  test('holds for an address whose person was erased since: its hash is suppressed', async () => {
    const { send_id, person } = await aLetter(app, campaign);
    await app.sql`update sends set person_id = null, to_address = 'Erased' where id = ${send_id}`;
    expect((await post(linkOf(send_id))).status).toBe(200);
    expect(await suppressed(person.hash)).toBe('unsubscribe');
  });

  test('is reached by no tool and carries no rights: a token or a cookie beside it changes nothing', async () => {
    const { send_id } = await aLetter(app, campaign);
    const token = await app.token({ scopes: { wire: true } });
    const path = new URL(linkOf(send_id)).pathname;
    const tool = await token.tool('api_request', { method: 'POST', path, body: {} });
    expect(tool.text).toMatch(/path not allowed/);
    expect((await readSend(app.admin, send_id)).send.state).toBe('review');
  });
});

test('a person who wrote themselves out by it is not written to again: no letter is drafted (side door 15)', async () => {
  const { send_id, person, prospect_id } = await aLetter(app, campaign);
  await post(linkOf(send_id));
  await expect(drafted(app, campaign, prospect_id)).rejects.toThrow('ended');
  const single = await app.admin.rest('POST', `${O}/letters`, {
    person_id: person.id,
    identity_id: campaign.identity_id,
    subject: 'Once more',
    text: 'Dear Dana',
  });
  await approved(app.admin, single.body.send.id);
  const { outlook } = await readSend(app.admin, single.body.send.id);
  expect(outlook.why_not).toMatchObject({ reason: 'suppressed', who: 'person' });
});

describe('the token', () => {
  test('reads back to its letter alone, and is worth nothing under another key', async () => {
    const { sealer } = app.instance.app;
    const id = '0198c0de-0000-7000-8000-000000000051';
    const token = unsubscribeToken(sealer, id);
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(readUnsubscribeToken(sealer, token)).toBe(id);
    for (let at = 0; at < token.length; at++) {
      const other = token[at] === 'A' ? 'B' : 'A';
      expect(readUnsubscribeToken(sealer, token.slice(0, at) + other + token.slice(at + 1))).toBeNull();
    }
    const foreign = { ...sealer, key: () => ({ reveal: () => 'another' }) as never };
    expect(readUnsubscribeToken(foreign, token)).toBeNull();
  });

  test("is known in a text as this letter's own, and not as another's", () => {
    const { instance, sealer } = app.instance.app;
    const [one, two] = ['0198c0de-0000-7000-8000-000000000051', '0198c0de-0000-7000-8000-000000000052'];
    const url = unsubscribeUrl({ instance, sealer }, one);
    expect(offersOutgoingMail(`Unsubscribe: ${url}\n`, instance.base_url, one)).toBe(true);
    expect(offersOutgoingMail(`Unsubscribe: ${url.slice(0, -1)}\n`, instance.base_url, one)).toBe(false);
    expect(offersOutgoingMail(`Unsubscribe: ${url}\n`, instance.base_url, two)).toBe(false);
  });
});

test('one field in a form is what asks; what is shown of an address is enough for its owner alone', () => {
  expect(asksToStop('application/x-www-form-urlencoded', 'list-unsubscribe=one-click')).toBe(true);
  expect(
    asksToStop(
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="note"\r\n\r\nOne-Click\r\n--x--',
    ),
  ).toBe(false);
  expect(masked('dana.roe@acme.example')).toBe('d…@acme.example');
  expect(masked('Erased')).toBe('you');
});
