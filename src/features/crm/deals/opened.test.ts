// Owns `deal.opened`: told when a positive reading and an open deal of a person are both there, once for each prospect and
// deal, whichever comes first and however closely they come together.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aPerson, CRM, newDeal, openedEvents } from '../../../../test/support/crm.ts';
import { openTestHouse, type TestHouse } from '../../../../test/support/house.ts';
import { openGround } from '../../../store/ground.ts';
import { dealsOfPerson } from './holder.store.ts';
import { type Announce, notePositive } from './opened.store.ts';

let house: TestHouse;

beforeAll(async () => {
  house = await openTestHouse();
});
afterAll(() => house.close());

/** An answer of this person is read as positive, in a transaction of its own, as the inbox does it. */
async function positive(person_id: string, prospect_id: string | null = null): Promise<void> {
  const at = house.clock.now();
  const ground = openGround(house.instance.pools, 'test', () => undefined);
  await ground.transact(async (tx) => {
    const announce: Announce = (event, data) => ground.emit(tx, event, data, at);
    await notePositive(tx, announce, { person_id, prospect_id, campaign_id: null, at });
  });
}

test('a deal without a positive reading is told to nobody, nor a reading without a deal', async () => {
  const deal = await newDeal(house.admin, { person_id: await aPerson(house) });
  expect(await openedEvents(house, deal.id)).toEqual([]);
  await positive(await aPerson(house));
});

test('the reading first, then the deal: the world is told with the deal', async () => {
  const person_id = await aPerson(house);
  const prospect_id = randomUUID();
  await positive(person_id, prospect_id);
  const deal = await newDeal(house.admin, { person_id });
  expect(await openedEvents(house, deal.id)).toEqual([
    { deal_id: deal.id, campaign_id: null, person_id, prospect_id, state: 'open' },
  ]);
});

test('the deal first, then the reading: the world is told with the reading, and not again', async () => {
  const person_id = await aPerson(house);
  const deal = await newDeal(house.admin, { person_id });
  await positive(person_id);
  await positive(person_id);
  expect(await openedEvents(house, deal.id)).toMatchObject([{ person_id, prospect_id: null }]);
  const prospect_id = randomUUID();
  await positive(person_id, prospect_id);
  expect(await openedEvents(house, deal.id)).toMatchObject([{ prospect_id: null }, { prospect_id }]);
});

test('a closed deal is told when it is opened again, and one that was told is not told twice', async () => {
  const person_id = await aPerson(house);
  const deal = await newDeal(house.admin, { person_id });
  const settle = (revision: number, body: object) =>
    house.admin.rest('POST', `${CRM}/deals/${deal.id}/state`, { revision, ...body });
  await settle(1, { state: 'won' });
  await positive(person_id);
  expect(await openedEvents(house, deal.id)).toEqual([]);
  await settle(2, { state: 'open', reason: 'Not signed yet' });
  expect(await openedEvents(house, deal.id)).toHaveLength(1);
  await settle(3, { state: 'won' });
  await settle(4, { state: 'open', reason: 'Again' });
  expect(await openedEvents(house, deal.id)).toHaveLength(1);
});

test('a deal that becomes the deal of somebody whose answer was positive is told', async () => {
  const person_id = await aPerson(house);
  await positive(person_id);
  const deal = await newDeal(house.admin);
  await house.admin.rest('PATCH', `${CRM}/deals/${deal.id}`, { revision: 1, person_id });
  expect(await openedEvents(house, deal.id)).toHaveLength(1);
  await house.admin.rest('PATCH', `${CRM}/deals/${deal.id}`, { revision: 2, name: 'Another name' });
  expect(await openedEvents(house, deal.id)).toHaveLength(1);
});

test('a deal and a reading at the same moment are told once, whichever commits first', async () => {
  const people = await Promise.all(Array.from({ length: 25 }, () => aPerson(house)));
  const told = await Promise.all(
    people.map(async (person_id, n) => {
      const acts = [() => newDeal(house.admin, { person_id }), () => positive(person_id)];
      const done = await Promise.all((n % 2 ? acts : acts.toReversed()).map((act) => act()));
      const deal = done.find((each) => each !== undefined) as { id: string };
      return (await openedEvents(house, deal.id)).length;
    }),
  );
  expect(told).toEqual(people.map(() => 1));
});

test('two transactions that both stand uncommitted: the later one waits, and tells', async () => {
  const person_id = await aPerson(house);
  const ground = openGround(house.instance.pools, 'test', () => undefined);
  const at = house.clock.now();
  let commit = (): void => undefined;
  const held = new Promise<void>((resolve) => (commit = resolve));
  let noted = (): void => undefined;
  const written = new Promise<void>((resolve) => (noted = resolve));
  const reading = ground.transact(async (tx) => {
    const announce: Announce = (event, data) => ground.emit(tx, event, data, at);
    await notePositive(tx, announce, { person_id, prospect_id: null, campaign_id: null, at });
    noted();
    await held;
  });
  await written;
  const opening = newDeal(house.admin, { person_id });
  const first = await Promise.race([
    opening.then(() => 'deal'),
    new Promise((resolve) => setTimeout(() => resolve('waits'), 300)),
  ]);
  commit();
  await reading;
  expect(first).toBe('waits');
  expect(await openedEvents(house, (await opening).id)).toHaveLength(1);
});

test('ten readings of one person at once are told once for the deal', async () => {
  const person_id = await aPerson(house);
  const deal = await newDeal(house.admin, { person_id });
  await Promise.all(Array.from({ length: 10 }, () => positive(person_id)));
  expect(await openedEvents(house, deal.id)).toHaveLength(1);
});

const admin = () => ({ rights: { admin: true, policies: [], projects: null } }) as never;

test('two records of one person, one with the reading and one with the deal, are told when they are merged', async () => {
  const [from, into] = [await aPerson(house, 'Twice'), await aPerson(house, 'Once')];
  await positive(from);
  const deal = await newDeal(house.admin, { person_id: into });
  expect(await openedEvents(house, deal.id)).toEqual([]);
  const merged = await house.admin.rest('POST', `${CRM}/people/${into}/merge`, {
    from,
    revision: 1,
    from_revision: 1,
  });
  expect(merged.status, JSON.stringify(merged.body)).toBe(200);
  expect(await openedEvents(house, deal.id)).toMatchObject([{ person_id: into }]);
});

test('of a person who is merged the deals go along; of one who is erased a deal keeps the money and no word', async () => {
  const [from, into] = [await aPerson(house, 'Twice'), await aPerson(house, 'Once')];
  await positive(from);
  const deal = await newDeal(house.admin, { person_id: from, name: 'Call Dana', amount: 5, currency: 'EUR' });
  const now = house.clock.now();
  await house.sql.begin((tx) => dealsOfPerson.move(tx as never, from, into, now, async () => undefined));
  const read = async () => (await house.admin.rest('GET', `${CRM}/deals/${deal.id}`)).body.deal;
  expect(await read()).toMatchObject({ person_id: into, person_name: 'Once' });
  expect(
    await house.sql`select person_id from positive_readings where person_id in (${from}, ${into})`,
  ).toEqual([{ person_id: into }]);
  expect(await dealsOfPerson.timeline?.(house.sql as never, admin(), into, null, 10)).toMatchObject([
    { kind: 'deal_opened', details: { deal_id: deal.id, deal: 'Call Dana' } },
  ]);
  await house.sql.begin((tx) => dealsOfPerson.erase(tx as never, into, now));
  expect(await read()).toMatchObject({ person_id: null, name: 'Erased', amount: 5, currency: 'EUR' });
  expect((await house.admin.rest('GET', `${CRM}/deals?query=dana`)).body.items).toEqual([]);
});
