// What a report of a letter's fate does, said once or often, in any order, by whom.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../test/support/app.ts';
import { aCampaign, aDesk, somebody, type TestCampaign } from '../../../../test/support/letters.ts';
import { report, type SentLetter, sentLetter } from '../../../../test/support/sent.ts';
import { addressHash } from '../../../mail/address.ts';
import type { Delivery } from './rules.ts';

let app: TestApp;
let campaign: TestCampaign;

beforeAll(async () => {
  app = await openTestApp();
  campaign = await aCampaign(app, await aDesk(app));
});
afterAll(() => app.close());

const letterOf = async ({ id }: SentLetter) =>
  (await app.sql`select state, delivery, sent_at from sends where id = ${id}`)[0];
const stageOf = async ({ prospect_id }: SentLetter) =>
  (await app.sql`select stage, ended from prospects where id = ${prospect_id}`)[0];
const reasonsOn = async ({ person }: SentLetter): Promise<string[]> => {
  const rows = await app.sql<{ reason: string }[]>`
    select reason from suppressions where value_hash = ${person.hash} order by reason`;
  return rows.map(({ reason }) => reason);
};

describe('a hard bounce', () => {
  test('suppresses the address, moves the person to bounced and marks the address undeliverable', async () => {
    const letter = await sentLetter(app, campaign);
    await report(app, letter, { kind: 'hard', status: '5.1.1', cause: 'no_such_address' });
    expect(await letterOf(letter)).toMatchObject({ state: 'sent', delivery: 'hard' });
    expect(await stageOf(letter)).toMatchObject({ stage: 'bounced', ended: null });
    expect(await reasonsOn(letter)).toEqual(['hard_bounce']);
    const [address] = await app.sql`
      select verdict, verdict_reason from person_addresses where hash = ${letter.person.hash}`;
    expect(address).toEqual({ verdict: 'UNDELIVERABLE', verdict_reason: 'hard_bounce' });
  });

  test('about another recipient of the letter suppresses that address and leaves the person where they are', async () => {
    const letter = await sentLetter(app, campaign);
    const other = await somebody(app);
    await app.sql`update sends set cc = ${[other.address]}, cc_hashes = ${[other.hash]} where id = ${letter.id}`;
    await report(app, letter, { kind: 'hard', recipient_hash: other.hash });
    expect(await reasonsOn(letter)).toEqual([]);
    expect(await stageOf(letter)).toMatchObject({ stage: 'enrolled' });
    const [row] = await app.sql`select reason from suppressions where value_hash = ${other.hash}`;
    expect(row).toEqual({ reason: 'hard_bounce' });
  });

  test('that names none of several recipients strikes no one off', async () => {
    const letter = await sentLetter(app, campaign);
    const other = await somebody(app);
    await app.sql`update sends set cc = ${[other.address]}, cc_hashes = ${[other.hash]} where id = ${letter.id}`;
    await report(app, letter, { kind: 'hard', recipient_hash: null });
    expect(await reasonsOn(letter)).toEqual([]);
    expect(await letterOf(letter)).toMatchObject({ delivery: 'hard' });
  });
});

test('a complaint closes every address of the person that we wrote to, and none that we never used', async () => {
  const letter = await sentLetter(app, campaign);
  const { id: person_id } = letter.person;
  const [used, unused] = [
    `work.${person_id.slice(0, 8)}@other.example`,
    `own.${person_id.slice(0, 8)}@own.example`,
  ];
  for (const [position, value] of [used, unused].entries())
    await app.sql`insert into person_addresses ${app.sql({
      id: randomUUID(),
      person_id,
      value,
      normalised: value,
      domain: value.split('@')[1]!,
      hash: addressHash(value),
      is_primary: false,
      position: position + 1,
    })}`;
  await app.sql`
    insert into sends (id, kind, person_id, identity_id, state, subject, text, to_address, to_hash, message_id, fingerprint,
      scheduled_for, sending_at, sent_at, created_by_kind, created_by_id, created_by_name, created_at, updated_at)
    select gen_random_uuid(), 'one_off', person_id, identity_id, 'sent', 's', 't', ${used}, ${addressHash(used)},
      '<' || gen_random_uuid() || '@desk.example>', 'f', now(), now(), now(), 'system', 't', 't', now(), now()
    from sends where id = ${letter.id}`;
  await report(app, letter, { kind: 'complaint' });
  const rows = await app.sql<{ value: string }[]>`
    select value from suppressions where reason = 'complaint' and source_ref is not null
      and value = any(${[letter.person.address, used, unused]}) order by value`;
  expect(rows.map(({ value }) => value)).toEqual([letter.person.address, used].toSorted());
});

test('a policy rejection blames the sender and never the person', async () => {
  const letter = await sentLetter(app, campaign);
  await report(app, letter, { kind: 'policy', status: '5.7.1', cause: 'spam' });
  expect(await letterOf(letter)).toMatchObject({ delivery: 'policy' });
  expect(await stageOf(letter)).toMatchObject({ stage: 'enrolled', ended: null });
  expect(await reasonsOn(letter)).toEqual([]);
});

test('a complaint suppresses at once and ends every campaign of the person', async () => {
  const here = await aCampaign(app, await aDesk(app));
  const letter = await sentLetter(app, here);
  const elsewhere = await sentLetter(app, await aCampaign(app, here), { person: letter.person });
  await report(app, letter, { kind: 'complaint' });
  expect(await reasonsOn(letter)).toEqual(['complaint']);
  for (const each of [letter, elsewhere])
    expect(await stageOf(each)).toMatchObject({ stage: 'unsubscribed', ended: 'complaint' });
  expect(await letterOf(letter)).toMatchObject({ delivery: 'complaint' });
});

test('a mailbox that is full three letters in a row counts as gone, and a delivery in between starts the count again', async () => {
  const person = await somebody(app);
  const others = await Promise.all([1, 2, 3, 4].map(async () => aCampaign(app, campaign)));
  const letters: SentLetter[] = [];
  for (const each of others) letters.push(await sentLetter(app, each, { person }));
  const [first, second, third, fourth] = letters as [SentLetter, SentLetter, SentLetter, SentLetter];
  const full = { kind: 'soft', status: '5.2.2', cause: 'mailbox_full' } as const;
  await report(app, first, full);
  await report(app, first, full);
  await report(app, first, full);
  expect(await reasonsOn(first)).toEqual([]);
  app.clock.advance(1000);
  await report(app, second, { kind: 'delivered' });
  app.clock.advance(1000);
  await report(app, second, full);
  await report(app, third, full);
  expect(await reasonsOn(first)).toEqual([]);
  await report(app, fourth, full);
  expect(await reasonsOn(first)).toEqual(['hard_bounce']);
  expect(await stageOf(fourth)).toMatchObject({ stage: 'bounced' });
});

describe('out of order and again', () => {
  const ORDERS: Delivery['kind'][][] = [
    ['soft', 'delivered', 'hard'],
    ['hard', 'delivered', 'soft'],
    ['delivered', 'hard', 'soft'],
  ];
  test.each(ORDERS)('%s, %s, %s come to the same', async (...kinds) => {
    const letter = await sentLetter(app, campaign);
    for (const kind of kinds) await report(app, letter, { kind });
    expect(await letterOf(letter)).toMatchObject({ delivery: 'hard' });
    expect(await reasonsOn(letter)).toEqual(['hard_bounce']);
  });

  test('said twice under one key it counts once', async () => {
    const letter = await sentLetter(app, campaign);
    const key = `test:${randomUUID()}`;
    const first = await report(app, letter, { kind: 'hard', key });
    const again = await report(app, letter, { kind: 'hard', key });
    expect([first.recorded, again.recorded]).toEqual([1, 0]);
    const rows = await app.sql`select 1 from send_outcomes where key = ${key}`;
    expect(rows).toHaveLength(1);
  });

  test('the same said by two at once counts once', async () => {
    const letter = await sentLetter(app, campaign);
    const key = `test:${randomUUID()}`;
    const both = await Promise.all([
      report(app, letter, { kind: 'hard', key }),
      report(app, letter, { kind: 'hard', key }),
    ]);
    expect(both.map(({ recorded }) => recorded).toSorted()).toEqual([0, 1]);
    expect(await reasonsOn(letter)).toEqual(['hard_bounce']);
  });

  test('a delivery after a complaint lifts nothing', async () => {
    const letter = await sentLetter(app, await aCampaign(app, await aDesk(app)));
    await report(app, letter, { kind: 'complaint' });
    await report(app, letter, { kind: 'delivered' });
    expect(await letterOf(letter)).toMatchObject({ delivery: 'complaint' });
    expect(await reasonsOn(letter)).toEqual(['complaint']);
  });
});

describe('an uncertain letter', () => {
  test.each(['delivered', 'hard', 'soft'] as const)('is settled as sent by %s', async (kind) => {
    const letter = await sentLetter(app, campaign, { state: 'uncertain' });
    await report(app, letter, { kind });
    const row = await letterOf(letter);
    expect(row).toMatchObject({ state: 'sent', delivery: kind });
    expect(row?.['sent_at']).not.toBeNull();
  });

  test.each([
    ['a bounce', { kind: 'hard', source: 'report' }, 'bounce'],
    ['a delivery report', { kind: 'delivered', source: 'report' }, 'delivery_report'],
    ['a complaint', { kind: 'complaint', source: 'report' }, 'complaint'],
    ['a vendor’s event', { kind: 'delivered', source: 'vendor' }, 'vendor_event'],
    ['a late reply of the server', { kind: 'accepted', source: 'session' }, 'server_reply'],
  ] as const)(
    'has %s in its history, and its person goes on from when it left',
    async (_, said, evidence) => {
      const letter = await sentLetter(app, campaign, { state: 'uncertain' });
      const [left] = await app.sql`select sending_at from sends where id = ${letter.id}`;
      app.clock.advance(86_400_000);
      await report(app, letter, said);
      const facts =
        await app.sql`select details from send_facts where send_id = ${letter.id} and kind = 'resolved'`;
      expect(facts).toEqual([{ details: { from: 'uncertain', to: 'sent', outcome: 'sent', evidence } }]);
      const [prospect] =
        await app.sql`select stage_at, step_id from prospects where id = ${letter.prospect_id}`;
      if (evidence !== 'bounce' && evidence !== 'complaint')
        expect(prospect?.['stage_at']).toEqual(left?.['sending_at']);
    },
  );
});

describe('a report that no letter is found for', () => {
  test('is kept, and touches nothing', async () => {
    const person = await somebody(app);
    const recorded = await report(app, null, { kind: 'hard', recipient_hash: person.hash });
    expect(recorded).toMatchObject({ recorded: 1, unplaced: 1 });
    const rows = await app.sql`select 1 from suppressions where value_hash = ${person.hash}`;
    expect(rows).toHaveLength(0);
  });

  test('names a letter that never started: it is about none of ours', async () => {
    const letter = await sentLetter(app, campaign, { state: 'uncertain' });
    await app.sql`update sends set state = 'scheduled', sending_at = null where id = ${letter.id}`;
    const recorded = await report(app, letter, { kind: 'complaint' });
    expect(recorded.unplaced).toBe(1);
    expect(await reasonsOn(letter)).toEqual([]);
  });

  test('is a complaint: the last letter to that address is meant, and the warden does not count the guess', async () => {
    const letter = await sentLetter(app, campaign);
    app.clock.advance(1000);
    const said = {
      kind: 'complaint',
      source: 'report',
      send: { message_ids: ['unknown@example.org'] },
    } as const;
    await report(app, letter, said);
    expect(await reasonsOn(letter)).toEqual(['complaint']);
    const [event] = await app.sql`
      select placed_by, domain_id from send_outcomes where send_id = ${letter.id} and kind = 'complaint'`;
    expect(event).toEqual({ placed_by: 'recipient', domain_id: null });
  });
});
