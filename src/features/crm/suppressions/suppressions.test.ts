// Suppressions through the entry points: free to add, wire to lift, kept for ever; races, ends by the clock, and every spelling of
// an address.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fingerprint } from '../../../../test/support/fingerprint.ts';
import { openTestApp, type TestApp, type TokenClient } from '../../../../test/support/app.ts';
import { MINUTE_MS } from '../../../kernel/clock.ts';
import { WIRE_REQUIRED } from '../../../kernel/sentences.ts';
import { addressHash, parseAddress } from '../../../mail/address.ts';
import { LIFTED_ON_SCREEN } from './rules.ts';
import { standingAmong } from './store.ts';

const ALL = '/api/admin/outreach/suppressions';
let app: TestApp;
let wire: TokenClient;
let plain: TokenClient;
beforeAll(async () => {
  app = await openTestApp();
  wire = await app.token({ scopes: { wire: true } });
  plain = await app.token();
});
afterAll(async () => app.close());
beforeEach(async () => {
  await app.sql`delete from suppressions`;
});

const add = async (body: Record<string, unknown>) => {
  const answer = await app.admin.rest('POST', ALL, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
};
const now = () => app.clock.now();
const spelled = (text: string): { hash: string; domain: string } => {
  const parsed = parseAddress(text);
  if (!parsed.ok) throw new Error(text);
  return { hash: addressHash(parsed.address.normalised), domain: parsed.address.domain };
};
const markOn = async (text: string) =>
  (await standingAmong(app.sql, [spelled(text)], now())).get(spelled(text).hash);
const count = async () => (await app.sql`select 1 from suppressions`).length;

describe('adding', () => {
  test('an address or a domain is suppressed by any token that policy lets, and the row says who, when and why', async () => {
    const { json } = await plain.tool('suppress', { address: ' Ann@ACME.example ', note: 'rang us' });
    expect(json).toMatchObject({
      added: 1,
      suppression: {
        kind: 'address',
        value: 'ann@acme.example',
        reason: 'manual',
        source: 'person',
        note: 'rang us',
        state: 'standing',
        created_by: { kind: 'agent', name: plain.name },
        lifted_at: null,
      },
    });
    const { suppression } = await add({ domain: '@Bücher.example', reason: 'legal' });
    expect(suppression).toMatchObject({ kind: 'domain', value: 'xn--bcher-kva.example', reason: 'legal' });
    expect(await markOn('ann@acme.example')).toMatchObject({ reason: 'manual', via: 'address' });
    expect(await markOn('who.ever@bücher.example')).toMatchObject({
      id: suppression.id,
      reason: 'legal',
      via: 'domain',
    });
    expect(await markOn('who.ever@mail.bücher.example')).toBeUndefined();
  });

  test('adding again answers with the standing row, and another reason is beside it', async () => {
    const first = await add({ address: 'ann@acme.example' });
    const again = await add({ address: 'ANN@acme.example', note: 'once more' });
    expect(again).toMatchObject({ added: 0, suppression: first.suppression });
    expect((await add({ address: 'ann@acme.example', reason: 'legal' })).added).toBe(1);
    expect(await count()).toBe(2);
  });

  test('many at once: one answer for each, in their order, and a value named twice exists once', async () => {
    const { suppressions, added } = await add({
      suppressions: [
        { address: 'b@acme.example' },
        { address: 'a@acme.example' },
        { address: 'B@ACME.example' },
        { domain: 'acme.example', reason: 'import' },
      ],
    });
    expect(added).toBe(3);
    expect(suppressions.map((each: { value: string }) => each.value)).toEqual([
      'b@acme.example',
      'a@acme.example',
      'b@acme.example',
      'acme.example',
    ]);
  });

  test('every fault of many is named at once, and nothing is half-written', async () => {
    const before = await fingerprint(app);
    const answer = await app.admin.rest('POST', ALL, {
      suppressions: [
        { address: 'good@acme.example' },
        { address: 'no at' },
        {},
        { domain: 'localhost' },
        { address: 'a@acme.example', domain: 'acme.example' },
        { address: 'a@acme.example', reason: 'legal', expires_at: '2999-01-01T00:00:00Z' },
        { address: 'a@acme.example', expires_at: '2001-01-01T00:00:00Z' },
      ],
    });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.error.details.fields)).toEqual([
      'suppressions.1.address',
      'suppressions.2.address',
      'suppressions.3.domain',
      'suppressions.4.address',
      'suppressions.5.expires_at',
      'suppressions.6.expires_at',
    ]);
    expect(answer.body.error.message.length).toBeLessThan(300);
    expect(await fingerprint(app)).toBe(before);
  });

  test.each([
    [{}, 'address'],
    [{ address: 'a\u0000@acme.example' }, 'address'],
    [{ address: '\ud800@acme.example' }, 'address'],
    [{ address: 'a@acme.example', reason: 'because' }, 'reason'],
    [{ address: 'a@acme.example', expires_at: '0000-01-01T00:00:00Z' }, 'expires_at'],
    [{ address: 'a@acme.example', suppressions: [{ address: 'b@acme.example' }] }, 'address'],
    [{ suppressions: [] }, 'suppressions'],
    [{ suppressions: Array.from({ length: 501 }, () => ({ domain: 'acme.example' })) }, 'suppressions'],
    [{ address: 'a@acme.example', lifted_at: null }, 'lifted_at'],
  ])('what cannot be suppressed is refused by the name of its field: %j', async (body, field) => {
    const answer = await app.admin.rest('POST', ALL, body);
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.error.details.fields)).toContain(field);
    expect(await count()).toBe(0);
  });

  test('of eight adds of one value at once, one makes the row and all are answered with it', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => app.admin.rest('POST', ALL, { address: 'race@acme.example' })),
    );
    expect(answers.map((each) => each.status)).toEqual(Array.from({ length: 8 }, () => 201));
    expect(new Set(answers.map((each) => each.body.suppression.id)).size).toBe(1);
    expect(answers.filter((each) => each.body.added === 1)).toHaveLength(1);
  });

  test('two that add the same many in opposite orders both get through', async () => {
    const names = Array.from({ length: 40 }, (_, n) => ({ address: `p${n}@acme.example` }));
    const answers = await Promise.all(
      [names, names.toReversed()].map((suppressions) => app.admin.rest('POST', ALL, { suppressions })),
    );
    expect(answers.map((each) => each.status)).toEqual([201, 201]);
    expect(answers[0]!.body.added + answers[1]!.body.added).toBe(40);
    expect(await count()).toBe(40);
  });
});

describe('an end', () => {
  const soon = () => new Date(now().getTime() + 10 * MINUTE_MS).toISOString();

  test('a manual suppression ends by the clock, and adding it again makes a new row', async () => {
    const first = await add({ address: 'ann@acme.example', expires_at: soon() });
    app.clock.advance(9 * MINUTE_MS);
    expect(await markOn('ann@acme.example')).toMatchObject({ id: first.suppression.id });
    app.clock.advance(2 * MINUTE_MS);
    expect(await markOn('ann@acme.example')).toBeUndefined();
    const lifted = await app.admin.rest('DELETE', `${ALL}/${first.suppression.id}`);
    expect(lifted.body.error.message).toContain('expired on');
    const again = await add({ address: 'ann@acme.example' });
    expect(again.added).toBe(1);
    expect(again.suppression.id).not.toBe(first.suppression.id);
    const ended = (await app.admin.rest('GET', `${ALL}?state=ended`)).body.items;
    expect(ended.map((row: { id: string }) => row.id)).toEqual([first.suppression.id]);
  });

  test('a second add makes an end later or takes it away, and never brings it nearer', async () => {
    const { suppression } = await add({ address: 'ann@acme.example', expires_at: '2998-01-01T00:00:00Z' });
    const nearer = await add({ address: 'ann@acme.example', expires_at: soon() });
    expect(nearer.suppression.expires_at).toBe('2998-01-01T00:00:00.000Z');
    const later = await add({ address: 'ann@acme.example', expires_at: '2999-01-01T00:00:00Z' });
    expect(later.suppression).toEqual({ ...suppression, expires_at: '2999-01-01T00:00:00.000Z' });
    expect((await add({ address: 'ann@acme.example' })).suppression.expires_at).toBeNull();
    const never = await add({ address: 'ann@acme.example', expires_at: soon() });
    expect(never.suppression.expires_at).toBeNull();
  });
});

describe('lifting', () => {
  test('needs wire, keeps the row with who and when, and names what still exists', async () => {
    const { suppression } = await add({ address: 'ann@acme.example' });
    const other = await add({ address: 'ann@acme.example', reason: 'unsubscribe' });
    const all = await add({ domain: 'acme.example', reason: 'import' });
    const refused = await plain.rest('DELETE', `${ALL}/${suppression.id}`);
    expect([refused.status, refused.body.error.message]).toEqual([403, WIRE_REQUIRED]);
    const lifted = await wire.rest('DELETE', `${ALL}/${suppression.id}`);
    expect(lifted).toMatchObject({
      status: 200,
      body: {
        suppression: {
          id: suppression.id,
          value: 'ann@acme.example',
          state: 'lifted',
          lifted_by: { kind: 'person', name: 'Ada Operator' },
          lifted_at: expect.any(String),
        },
        still: [
          { id: other.suppression.id, reason: 'unsubscribe', via: 'address' },
          { id: all.suppression.id, reason: 'import', via: 'domain' },
        ],
      },
    });
    const again = await wire.rest('DELETE', `${ALL}/${suppression.id}`);
    expect(again.status).toBe(409);
    expect(again.body.error.message).toContain('by Ada Operator');
    expect((await add({ address: 'ann@acme.example' })).suppression.id).not.toBe(suppression.id);
  });

  test.each(['complaint', 'legal'] as const)(
    'a %s is lifted by no token, and by a person in a session',
    async (reason) => {
      const { suppression } = await add({ address: 'ann@acme.example', reason });
      const at = `${ALL}/${suppression.id}`;
      for (const [status, says] of [
        await wire.rest('DELETE', at).then((a) => [a.status, a.body.error.message] as const),
        await wire
          .tool('api_request', { method: 'DELETE', path: at })
          .then((a) => [Number(a.text.slice(5, 8)), a.text.slice(10)] as const),
      ]) {
        expect(status).toBe(403);
        expect(says).toBe(LIFTED_ON_SCREEN[reason]);
      }
      expect(await markOn('ann@acme.example')).toMatchObject({ reason });
      expect((await app.admin.rest('DELETE', at)).status).toBe(200);
      expect(await markOn('ann@acme.example')).toBeUndefined();
    },
  );

  test('of two lifts of one row at once, one does it', async () => {
    const { suppression } = await add({ address: 'ann@acme.example' });
    const answers = await Promise.all([1, 2].map(() => app.admin.rest('DELETE', `${ALL}/${suppression.id}`)));
    expect(answers.map((each) => each.status).sort()).toEqual([200, 409]);
  });

  test('there is no suppression of that id', async () => {
    const answer = await wire.rest('DELETE', `${ALL}/0198c0de-0000-7000-8000-000000000031`);
    expect(answer.status).toBe(404);
  });
});

describe('the list', () => {
  test('newest first, by reason, kind and state, and by how a value begins, a page at a time', async () => {
    await add({ suppressions: Array.from({ length: 5 }, (_, n) => ({ address: `p${n}@acme.example` })) });
    await add({ domain: 'acme.example', reason: 'legal' });
    const gone = await add({ address: 'x_y@other.example', reason: 'unsubscribe' });
    await app.admin.rest('DELETE', `${ALL}/${gone.suppression.id}`);
    const values = async (query: string) => {
      const seen: string[] = [];
      let cursor = '';
      for (let pages = 0; pages < 20; pages += 1) {
        const { body } = await app.admin.rest('GET', `${ALL}?limit=2&${query}${cursor}`);
        seen.push(...body.items.map((row: { value: string }) => row.value));
        if (!body.next_cursor) return seen;
        cursor = `&cursor=${body.next_cursor}`;
      }
      throw new Error('the pages do not end');
    };
    const people = ['p0', 'p1', 'p2', 'p3', 'p4'].map((name) => `${name}@acme.example`);
    expect((await values('')).slice(0, 2)).toEqual(['x_y@other.example', 'acme.example']);
    expect((await values('')).toSorted()).toEqual(['acme.example', ...people, 'x_y@other.example']);
    expect(await values('state=lifted')).toEqual(['x_y@other.example']);
    expect(await values('reason=legal&state=standing')).toEqual(['acme.example']);
    expect(await values('kind=domain')).toEqual(['acme.example']);
    expect(await values('query=P')).toEqual(people);
    expect(await values('query=p3%40acme.example')).toEqual(['acme.example', 'p3@acme.example']);
    expect(await values('query=x_')).toEqual(['x_y@other.example']);
    expect(await values('query=%25')).toEqual([]);
    const bad = await app.admin.rest('GET', `${ALL}?cursor=WyIwMDAwIl0`);
    expect(bad.status).toBe(400);
  });
});
