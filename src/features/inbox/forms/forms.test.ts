// Web forms: what is posted to one, by whatever it is posted, and what becomes of it.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../test/support/app.ts';
import { aCampaign, aDesk } from '../../../../test/support/letters.ts';
import { sentLetter } from '../../../../test/support/sent.ts';
import { addressHash } from '../../../mail/address.ts';

const FORMS = '/api/admin/forms';
let app: TestApp;

beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

async function aForm(more: object = {}): Promise<any> {
  const made = await app.admin.rest('POST', FORMS, { name: 'Contact', ...more });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.form;
}

const at = ({ url }: { url: string }): string => `${app.url}${new URL(url).pathname}`;

async function post(form: { url: string }, body: RequestInit['body'], headers: Record<string, string> = {}) {
  const answer = await fetch(at(form), { method: 'POST', body: body ?? null, headers, redirect: 'manual' });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}

const fields = (said: Record<string, string>) => new URLSearchParams(said);

const freshAddress = () => `dana.${randomUUID().slice(0, 8)}@acme.example`;

type Touch = {
  id: string;
  text: string;
  channel: string;
  reading: string;
  attributed_by: string;
  from_name: string;
  campaign_id: string | null;
};

const touchesFrom = (address: string) => app.sql<Touch[]>`
  select t.id, t.text, t.channel, t.reading, t.attributed_by, t.from_name, h.campaign_id
  from touches t join threads h on h.id = t.thread_id where t.from_address = ${address} order by t.id`;

const peopleAt = (address: string) => app.sql<{ id: string; name: string; source: string; basis: string }[]>`
  select p.id, p.name, p.source, p.basis from people p join person_addresses a on a.person_id = p.id
  where a.normalised = ${address}`;

const events = async (touch_id: string) => {
  const rows = await app.sql<{ body: string }[]>`
    select body from event_deliveries where event = 'reply.landed' and body like ${`%${touch_id}%`}`;
  return rows.map(({ body }) => JSON.parse(body).data);
};

describe('a post', () => {
  test('makes a person of a new address, with no basis, and what they wrote is in the inbox', async () => {
    const form = await aForm();
    const address = freshAddress();
    const said = {
      email: address.toUpperCase(),
      Name: 'Dana Roe',
      message: 'Please call me.',
      Company: 'Acme',
    };
    const answer = await post(form, fields(said));
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('Thank you');
    const [person] = await peopleAt(address);
    expect(person).toMatchObject({ name: 'Dana Roe', source: 'form', basis: 'none' });
    const [touch] = await touchesFrom(address.toUpperCase());
    expect(touch).toMatchObject({
      text: 'Please call me.\n\nCompany: Acme',
      channel: 'form',
      reading: 'unread',
      attributed_by: 'form',
      from_name: 'Dana Roe',
    });
    expect(await events(touch?.id ?? '')).toEqual([
      { touch_id: touch?.id, person_id: person?.id, campaign_id: null, channel: 'form', reading: 'unread' },
    ]);
    const listed = await app.admin.rest('GET', '/api/inbox?channel=form');
    expect(JSON.stringify(listed.body)).toContain('Please call me.');
  });

  test.each([
    ['urlencoded', (said: Record<string, string>) => [fields(said), {}] as const],
    [
      'as multipart, without its files',
      (said: Record<string, string>) => {
        const body = new FormData();
        for (const [name, value] of Object.entries(said)) body.append(name, value);
        body.append('cv', new Blob(['x'.repeat(1_000)]), 'cv.pdf');
        return [body, {}] as const;
      },
    ],
    [
      'as one JSON object',
      (said: Record<string, string>) =>
        [JSON.stringify(said), { 'content-type': 'application/json' }] as const,
    ],
  ])('is taken %s', async (_way, as) => {
    const address = freshAddress();
    const [body, headers] = as({ email: address, message: 'Here.' });
    const answer = await post(await aForm(), body, headers);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect(await touchesFrom(address)).toMatchObject([{ text: 'Here.' }]);
  });

  test('of someone who is known is theirs, and is answered like any other', async () => {
    const form = await aForm();
    const address = freshAddress();
    const first = await post(form, fields({ email: address, message: 'one' }));
    const second = await post(form, fields({ email: address, message: 'two' }));
    expect(second.text).toBe(first.text);
    expect(await peopleAt(address)).toHaveLength(1);
    expect(await touchesFrom(address)).toHaveLength(2);
  });

  test('of two at once from one new address makes one person', async () => {
    const form = await aForm();
    const address = freshAddress();
    await Promise.all(
      [1, 2, 3, 4].map((each) => post(form, fields({ email: address, message: `m${each}` }))),
    );
    expect(await peopleAt(address)).toHaveLength(1);
    expect(await touchesFrom(address)).toHaveLength(4);
  });

  test('of a prospect of its campaign belongs to that campaign', async () => {
    const campaign = await aCampaign(app, await aDesk(app));
    const letter = await sentLetter(app, campaign);
    const form = await aForm({ campaign_id: campaign.id });
    await post(form, fields({ email: letter.person.address, message: 'About your letter.' }));
    const [touch] = await touchesFrom(letter.person.address);
    expect(touch).toMatchObject({ campaign_id: campaign.id });
    expect(await events(touch?.id ?? '')).toMatchObject([{ campaign_id: campaign.id }]);
  });

  test('sends the browser on where the form says so', async () => {
    const form = await aForm({ redirect_url: 'https://acme.example/thanks?from=us' });
    const answer = await post(form, fields({ email: freshAddress(), message: 'Hello' }));
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      'https://acme.example/thanks?from=us',
    ]);
  });

  test('by a program that fills in what no one sees is answered alike, and nothing is kept', async () => {
    const form = await aForm();
    const address = freshAddress();
    const answer = await post(
      form,
      fields({ email: address, message: 'Buy now', _gotcha: 'http://spam.example' }),
    );
    expect(answer.status).toBe(200);
    expect(await peopleAt(address)).toEqual([]);
    expect(await touchesFrom(address)).toEqual([]);
  });

  test('with a wish to be left alone ends letters to that address', async () => {
    const address = freshAddress();
    await post(await aForm(), fields({ email: address, message: 'Unsubscribe' }));
    expect(await touchesFrom(address)).toMatchObject([{ reading: 'unsubscribe' }]);
    const rows = await app.sql`select reason from suppressions where value = ${address}`;
    expect(rows).toMatchObject([{ reason: 'unsubscribe' }]);
  });

  test('of someone else’s address brings them to no stage that a person could not undo', async () => {
    const campaign = await aCampaign(app, await aDesk(app));
    const { person, prospect_id } = await sentLetter(app, campaign);
    const other = freshAddress();
    await app.sql`insert into person_addresses ${app.sql({ id: randomUUID(), person_id: person.id, value: other, normalised: other, domain: 'acme.example', hash: addressHash(other), kind: 'work', is_primary: false, position: 1 })}`;
    await post(await aForm(), fields({ email: person.address, message: 'Unsubscribe' }));
    const [prospect] = await app.sql`select stage, ended from prospects where id = ${prospect_id}`;
    expect(prospect).toEqual({ stage: 'replied', ended: 'replied' });
    const stopped = await app.sql`
      select value from suppressions where value = any(${[person.address, other]}::text[])`;
    expect(stopped).toEqual([{ value: person.address }]);
  });

  test.each([
    ['no address', fields({ message: 'Hello' }), {}, 400],
    ['no address that could be one', fields({ email: 'dana at acme', message: 'Hello' }), {}, 400],
    ['JSON that is none', '{"email":', { 'content-type': 'application/json' }, 400],
    ['JSON that is a list', '[]', { 'content-type': 'application/json' }, 400],
    ['a body of no form', 'email=x', { 'content-type': 'text/csv' }, 400],
    ['a multipart without an end', '--x\r\n', { 'content-type': 'multipart/form-data; boundary=x' }, 400],
    ['more than a form holds', fields({ email: 'a@b.example', message: 'x'.repeat(300_000) }), {}, 413],
  ])('with %s is refused', async (_case, body, headers, status) => {
    expect((await post(await aForm(), body, headers as Record<string, string>)).status).toBe(status);
  });

  test('with what no table keeps is kept without it', async () => {
    const address = freshAddress();
    const body = JSON.stringify({
      email: address,
      name: 'Da\0na\ud800',
      message: 'Hel\0lo \udfff',
      'x\0y': 'z',
    });
    const answer = await post(await aForm(), body, { 'content-type': 'application/json' });
    expect(answer.status, answer.text).toBe(200);
    expect(await touchesFrom(address)).toHaveLength(1);
  });

  test('to a form that is unknown, off or deleted is told so alike', async () => {
    const [off, gone] = [await aForm(), await aForm()];
    await app.admin.rest('PATCH', `${FORMS}/${off.id}`, { revision: 1, active: false });
    expect((await app.admin.rest('DELETE', `${FORMS}/${gone.id}`)).status).toBe(200);
    const unknown = { url: `${off.url.slice(0, -22)}${'x'.repeat(22)}` };
    const said = fields({ email: freshAddress(), message: 'Hello' });
    for (const each of [off, gone, unknown]) {
      const answer = await post(each, said);
      expect(answer.status).toBe(404);
      expect(answer.text).toContain('takes nothing now');
    }
  });

  test('D: after five in a minute from one place waits, whichever of its addresses, and a form takes sixty of all', async () => {
    const form = await aForm();
    const from = (address: string, of = form) =>
      post(of, fields({ email: freshAddress(), message: 'Hello' }), { 'x-forwarded-for': address });
    const statuses: number[] = [];
    for (let n = 1; n <= 7; n += 1) statuses.push((await from(`2001:db8:5:5::${n}`)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
    const told = await from('2001:db8:5:5::8');
    expect(told.text).toContain('Wait a minute, and send it again.');
    expect((await from('2001:db8:5:5::9', await aForm())).status).toBe(200);
    const others = await Promise.all(Array.from({ length: 60 }, (_, n) => from(`198.51.100.${n}`)));
    expect(others.filter(({ status }) => status === 200)).toHaveLength(55);
    expect(others.filter(({ status }) => status === 429)).toHaveLength(5);
  });

  test('D: posts to forms that no one has are counted nowhere', async () => {
    const [before] = await app.sql`select count(*)::int as n from rate_counts`;
    const { url } = await aForm();
    for (let n = 0; n < 20; n += 1) {
      const slug = randomUUID().replaceAll('-', '').slice(0, 22);
      expect(
        (await post({ url: `${url.slice(0, -22)}${slug}` }, fields({ email: freshAddress() }))).status,
      ).toBe(404);
    }
    expect(await app.sql`select count(*)::int as n from rate_counts`).toEqual([before]);
  });
});

describe('a form', () => {
  test.each([
    'javascript:alert(1)',
    '//acme.example',
    'https://ann:secret@acme.example/',
    'ftp://acme.example',
    'thanks.html',
  ])('sends nobody to %s', async (redirect_url) => {
    const answer = await app.admin.rest('POST', FORMS, { name: 'Contact', redirect_url });
    expect(answer.status).toBe(400);
  });

  test('names an identity and a campaign that are there', async () => {
    for (const wish of [{ identity_id: randomUUID() }, { campaign_id: randomUUID() }])
      expect((await app.admin.rest('POST', FORMS, { name: 'Contact', ...wish })).status).toBe(404);
  });

  test('is changed under the revision that was read alone, counts its posts, and is listed', async () => {
    const form = await aForm();
    await post(form, fields({ email: freshAddress(), message: 'Hello' }));
    const changed = await app.admin.rest('PATCH', `${FORMS}/${form.id}`, { revision: 1, name: 'Sales' });
    expect(changed.body.form).toMatchObject({ name: 'Sales', revision: 2, posts: 1 });
    expect((await app.admin.rest('PATCH', `${FORMS}/${form.id}`, { revision: 1, name: 'x' })).status).toBe(
      409,
    );
    const listed = await app.admin.rest('GET', `${FORMS}?limit=1`);
    expect(listed.body.next_cursor).not.toBeNull();
    const next = await app.admin.rest('GET', `${FORMS}?limit=200&cursor=${listed.body.next_cursor}`);
    expect(next.body.items.map(({ id }: { id: string }) => id)).not.toContain(listed.body.items[0].id);
  });

  test('is no one’s but an administrator’s, or whom a policy lets', async () => {
    const person = await app.person();
    expect((await person.rest('GET', FORMS)).status).toBe(403);
    expect((await person.rest('POST', FORMS, { name: 'Mine' })).status).toBe(403);
  });
});
