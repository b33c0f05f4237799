// Covers passkeys and recovery codes through the entry points: what a proof must hold, what is used once, and who hears.
import { generateSync } from 'otplib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { authenticator, type Authenticator, type Lies } from '../../../../test/support/authenticator.ts';
import { openTestApp, type Answer, type PersonClient, type TestApp } from '../../../../test/support/app.ts';
import { MINUTE_MS } from '../../../kernel/clock.ts';
import { relyingParty } from '../sessions/passkeys.rules.ts';

const ORIGIN = 'https://desk.example';
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ baseUrl: ORIGIN });
});
afterAll(() => app.close());

const nobody = () => app.bearer(null);

async function addPasskey(
  person: PersonClient,
  lies: Lies = {},
): Promise<{ key: Authenticator; answer: Answer }> {
  const key = authenticator(ORIGIN);
  const asked = await person.rest('POST', '/api/me/passkeys/options', {});
  expect(asked.status, JSON.stringify(asked.body)).toBe(200);
  const answer = await person.rest('POST', '/api/me/passkeys', {
    name: 'Laptop',
    made: key.make(asked.body.options, lies),
  });
  return { key, answer };
}

async function challenge(): Promise<any> {
  const answer = await nobody().rest('POST', '/api/auth/passkey/options', { purpose: 'sign_in' });
  expect(answer.status).toBe(200);
  return answer.body.options;
}

const signIn = (passkey: unknown): Promise<Answer> => nobody().rest('POST', '/api/auth/login', { passkey });

async function withSecondFactor(): Promise<{ person: PersonClient; code: () => string; codes: string[] }> {
  const person = await app.person();
  const { secret } = (await person.rest('POST', '/api/me/totp', {})).body;
  const code = (): string => generateSync({ secret, epoch: Math.floor(app.clock.now().getTime() / 1000) });
  expect((await person.rest('POST', '/api/me/totp', { code: code() })).status).toBe(200);
  const { codes } = (await person.rest('POST', '/api/me/recovery-codes', {})).body;
  return { person, code, codes };
}

describe('passkeys', () => {
  test('a passkey signs in alone, is listed by its name, and its owner hears that it was added', async () => {
    const ben = await app.person();
    const { key, answer } = await addPasskey(ben);
    expect(answer).toMatchObject({ status: 201, body: { passkey: { name: 'Laptop', last_used_at: null } } });
    expect((await ben.rest('GET', '/api/me/notifications')).body.items[0].sentence).toContain(
      'passkey was added',
    );
    const entered = await signIn(key.prove(await challenge()));
    expect(entered).toMatchObject({ status: 200, body: { user: { id: ben.id } } });
    expect(entered.headers.getSetCookie()[0]).toMatch(/^__Host-dunnock_session=.+HttpOnly/);
    const listed = (await ben.rest('GET', '/api/me/passkeys')).body;
    expect(listed).toMatchObject({
      passkeys: [{ name: 'Laptop', last_used_at: expect.any(String) }],
      work_at: ORIGIN,
      recovery_codes: { left: 0, made_at: null },
    });
    expect((await ben.rest('GET', '/api/me')).body.user.passkeys).toBe(1);
    const [{ id }] = listed.passkeys;
    expect((await app.admin.rest('DELETE', `/api/me/passkeys/${id}`)).status).toBe(404);
    expect((await ben.rest('DELETE', `/api/me/passkeys/${id}`)).status).toBe(200);
    expect((await signIn(key.prove(await challenge()))).status).toBe(401);
  });

  test('it is asked to know the person, to be found on its own, and names no one to a stranger', async () => {
    const ben = await app.person();
    const { options } = (await ben.rest('POST', '/api/me/passkeys/options', {})).body;
    expect(options).toMatchObject({
      rp: { id: 'desk.example' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    });
    expect(await challenge()).toMatchObject({
      rpId: 'desk.example',
      userVerification: 'required',
      allowCredentials: [],
    });
  });

  test.each([
    ['of other pages', { origin: 'https://desk.example.evil.example' }],
    ['for another host', { party: 'evil.example' }],
    ['without the person being known', { verified: false }],
    ['of another kind', { type: 'webauthn.create' }],
    ['under another account’s handle', { handle: Buffer.from('0198c0de').toString('base64url') }],
  ] as [string, Lies][])('a proof %s opens nothing', async (_, lies) => {
    const { key } = await addPasskey(await app.person());
    const answer = await signIn(key.prove(await challenge(), lies));
    expect(answer).toMatchObject({ status: 401, body: { error: { code: 'unauthorized' } } });
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect((await signIn(key.prove(await challenge()))).status).toBe(200);
  });

  test.each([
    ['of other pages', { origin: 'https://evil.example' }],
    ['for another host', { party: 'evil.example' }],
    ['without the person being known', { verified: false }],
  ] as [string, Lies][])('a passkey that was made %s is not kept', async (_, lies) => {
    const ben = await app.person();
    expect((await addPasskey(ben, lies)).answer).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid' } },
    });
    expect((await ben.rest('GET', '/api/me/passkeys')).body.passkeys).toEqual([]);
  });

  test('a counter that does not go on is a copy, and is refused', async () => {
    const { key } = await addPasskey(await app.person());
    expect((await signIn(key.prove(await challenge(), { counter: 40 }))).status).toBe(200);
    for (const counter of [40, 7, 0])
      expect((await signIn(key.prove(await challenge(), { counter }))).status).toBe(401);
    expect((await signIn(key.prove(await challenge(), { counter: 41 }))).status).toBe(200);
  });

  test('a challenge is good once, even for two at once, and for five minutes', async () => {
    const { key } = await addPasskey(await app.person());
    const drawn = await challenge();
    const both = await Promise.all([signIn(key.prove(drawn)), signIn(key.prove(drawn))]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    const late = await challenge();
    app.clock.advance(5 * MINUTE_MS);
    expect((await signIn(key.prove(late))).status).toBe(401);
    await signIn(key.prove(await challenge()));
    expect(await app.sql`select count(*)::int as kept from passkey_challenges_spent`).toEqual([{ kept: 1 }]);
  });

  test('a challenge is worth nothing for another purpose, in another session, or where it was not drawn here', async () => {
    const ben = await app.person();
    const { key } = await addPasskey(ben);
    const stepUp = async (challenger: PersonClient, as = challenger) => {
      const { options } = (await challenger.rest('POST', '/api/auth/passkey/options', { purpose: 'step_up' }))
        .body;
      return as.rest('POST', '/api/auth/step-up', { passkey: key.prove(options) });
    };
    expect((await stepUp(ben)).status).toBe(200);
    const elsewhere = (await app.signIn(ben.email, ben.password)).cookie ?? '';
    const there = {
      ...ben,
      rest: (method, path, body) => nobody().rest(method, path, body, { cookie: elsewhere, origin: ORIGIN }),
    } as PersonClient;
    expect((await stepUp(there, ben)).status).toBe(401);
    expect(
      (await ben.rest('POST', '/api/auth/step-up', { passkey: key.prove(await challenge()) })).status,
    ).toBe(401);
    const own = { ...(await challenge()), challenge: Buffer.alloc(62).toString('base64url') };
    expect((await signIn(key.prove(own))).status).toBe(401);
  });

  test('a step-up by a passkey opens ten minutes for its owner alone', async () => {
    const ben = await app.person();
    const carl = await app.person();
    const { key } = await addPasskey(ben);
    app.clock.advance(11 * MINUTE_MS);
    expect((await ben.rest('POST', '/api/me/totp', {})).body.error.code).toBe('step_up_required');
    const confirm = async (person: PersonClient) => {
      const { options } = (await person.rest('POST', '/api/auth/passkey/options', { purpose: 'step_up' }))
        .body;
      return person.rest('POST', '/api/auth/step-up', { passkey: key.prove(options) });
    };
    expect((await confirm(carl)).status).toBe(401);
    expect((await confirm(ben)).status).toBe(200);
    expect((await ben.rest('POST', '/api/me/totp', {})).status).toBe(200);
  });

  test('hole D8: a passkey signs in whatever others guessed, its failures close no password, and whoever is disabled is not let in', async () => {
    const ben = await app.person();
    const { key } = await addPasskey(ben);
    for (let i = 0; i < 12; i++)
      expect((await signIn(key.prove(await challenge(), { verified: false }))).status).toBe(401);
    expect((await app.signIn(ben.email, ben.password)).status).toBe(200);
    for (let i = 0; i < 10; i++)
      expect((await app.signIn(ben.email, 'wrong horse battery')).status).toBe(401);
    expect((await app.signIn(ben.email, ben.password)).status).toBe(429);
    expect((await signIn(key.prove(await challenge()))).status).toBe(200);
    app.clock.advance(15 * MINUTE_MS);
    await app.sql`update users set state = 'disabled' where id = ${ben.id}`;
    expect((await signIn(key.prove(await challenge()))).status).toBe(401);
  });

  test('a proof goes alone, and without one everything else is asked for by name', async () => {
    const { key } = await addPasskey(await app.person());
    const both = await nobody().rest('POST', '/api/auth/login', {
      passkey: key.prove(await challenge()),
      email: 'a@example.com',
    });
    expect(both).toMatchObject({
      status: 400,
      body: { error: { details: { fields: { email: expect.any(String) } } } },
    });
    const none = await nobody().rest('POST', '/api/auth/login', {});
    expect(Object.keys(none.body.error.details.fields).sort()).toEqual(['email', 'password']);
  });

  test('what is no proof at all is refused in a sentence', async () => {
    const { key } = await addPasskey(await app.person());
    const good = key.prove(await challenge());
    for (const field of ['clientDataJSON', 'authenticatorData', 'signature'])
      for (const value of ['AAAA', 'e30', 'A'.repeat(1_999)]) {
        const answer = await signIn({ ...good, response: { ...good.response, [field]: value } });
        expect([401, 429]).toContain(answer.status);
      }
    expect((await signIn({ ...good, id: '\u0000' })).status).toBe(400);
  });

  test.each([
    ['https://desk.example', { id: 'desk.example', origin: 'https://desk.example' }],
    ['http://127.0.0.1:4400', { id: 'localhost', origin: 'http://localhost:4400' }],
    ['https://192.0.2.4', null],
    ['http://desk.example', null],
    ['https://[2001:db8::1]', null],
  ])('passkeys of %s', (base_url, party) => {
    expect(relyingParty(base_url)).toEqual(party);
  });
});

describe('recovery codes', () => {
  test('there are ten, only their hashes are kept, and they need a second factor to replace', async () => {
    const { person, codes } = await withSecondFactor();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/);
    for (const code of codes)
      expect(
        await app.sql`select 1 from recovery_codes where position(${code} in recovery_codes::text) > 0`,
      ).toEqual([]);
    expect((await person.rest('GET', '/api/me/passkeys')).body.recovery_codes.left).toBe(10);
    const plain = await app.person();
    expect((await plain.rest('POST', '/api/me/recovery-codes', {})).status).toBe(409);
  });

  test('one replaces the code once, however it is written, and its owner hears of it', async () => {
    const { person, codes } = await withSecondFactor();
    const [first = '', second = ''] = codes;
    const both = await Promise.all([0, 1].map(() => app.signIn(person.email, person.password, first)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(both.find(({ status }) => status === 401)?.body.error.code).toBe('code_required');
    const { items } = (await person.rest('GET', '/api/me/notifications')).body;
    expect(items[0].sentence).toContain('9 codes are left');
    expect(
      (await app.signIn(person.email, person.password, second.toLowerCase().replaceAll('-', ' '))).status,
    ).toBe(200);
  });

  test('it is worth nothing without the password, to anyone else, and after new ones were made', async () => {
    const { person, codes } = await withSecondFactor();
    const other = await withSecondFactor();
    const [mine = ''] = codes;
    expect((await app.signIn(person.email, 'wrong horse battery', mine)).status).toBe(401);
    expect((await app.signIn(other.person.email, other.person.password, mine)).status).toBe(401);
    const fresh = (await person.rest('POST', '/api/me/recovery-codes', {})).body.codes;
    expect((await app.signIn(person.email, person.password, mine)).status).toBe(401);
    expect((await app.signIn(person.email, person.password, fresh[0])).status).toBe(200);
  });

  test('wrong ones count as wrong codes do, and turning the factor off forgets them all', async () => {
    const { person, codes } = await withSecondFactor();
    for (let i = 0; i < 10; i++)
      expect((await app.signIn(person.email, person.password, '0000-0000-0000-0000')).status).toBe(401);
    expect((await app.signIn(person.email, person.password, codes[0])).status).toBe(429);
    app.clock.advance(15 * MINUTE_MS);
    expect((await app.signIn(person.email, person.password, codes[0])).status).toBe(200);
    await person.rest('POST', '/api/auth/step-up', { password: person.password, code: codes[1] });
    expect((await person.rest('DELETE', '/api/me/totp')).status).toBe(200);
    expect(await app.sql`select 1 from recovery_codes where user_id = ${person.id}`).toEqual([]);
  });
});
