// Owns `deal.opened`: told when a positive reading and an open deal of a person are both there, once for each prospect and
// deal, whichever comes first and however closely they come together.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aPerson, CRM, newDeal, openedEvents } from '../../../../test/support/crm.ts';
import { openTestApp, type TestApp } from '../../../../test/support/app.ts';
import { openDatabase } from '../../../store/database.ts';
import { dealsOfPerson } from './holder.store.ts';
import { type Announce, notePositive } from './opened.store.ts';

let app: TestApp;

beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

/** An answer of this person is read as positive, in a transaction of its own, as the inbox does it. */
async function positive(person_id: string, prospect_id: string | null = null): Promise<void> {
  const at = app.clock.now();
  const database = openDatabase(app.instance.pools, 'test', () => undefined);
  await database.transact(async (tx) => {
    const announce: Announce = (event, data) => database.emit(tx, event, data, at);
    await notePositive(tx, announce, { person_id, prospect_id, campaign_id: null, at });
  });
}

test('a deal without a positive reading is told to no one, nor a reading without a deal', async () => {
  const deal = await newDeal(app.admin, { person_id: await aPerson(app) });
  expect(await openedEvents(app, deal.id)).toEqual([]);
  await positive(await aPerson(app));
});

test('the reading first, then the deal: the world is told with the deal', async () => {
  const person_id = await aPerson(app);
  const prospect_id = randomUUID();
  await positive(person_id, prospect_id);
  const deal = await newDeal(app.admin, { person_id });
  expect(await openedEvents(app, deal.id)).toEqual([
    { deal_id: deal.id, campaign_id: null, person_id, prospect_id, state: 'open' },
  ]);
});

test('the deal first, then the reading: the world is told with the reading, and not again', async () => {
  const person_id = await aPerson(app);
  const deal = await newDeal(app.admin, { person_id });
  await positive(person_id);
  await positive(person_id);
  expect(await openedEvents(app, deal.id)).toMatchObject([{ person_id, prospect_id: null }]);
  const prospect_id = randomUUID();
  await positive(person_id, prospect_id);
  expect(await openedEvents(app, deal.id)).toMatchObject([{ prospect_id: null }, { prospect_id }]);
});

test('a closed deal is told when it is opened again, and one that was told is not told twice', async () => {
  const person_id = await aPerson(app);
  const deal = await newDeal(app.admin, { person_id });
  const settle = (revision: number, body: object) =>
    app.admin.rest('POST', `${CRM}/deals/${deal.id}/state`, { revision, ...body });
  await settle(1, { state: 'won' });
  await positive(person_id);
  expect(await openedEvents(app, deal.id)).toEqual([]);
  await settle(2, { state: 'open', reason: 'Not signed yet' });
  expect(await openedEvents(app, deal.id)).toHaveLength(1);
  await settle(3, { state: 'won' });
  await settle(4, { state: 'open', reason: 'Again' });
  expect(await openedEvents(app, deal.id)).toHaveLength(1);
});

test('a deal that becomes the deal of someone whose answer was positive is told', async () => {
  const person_id = await aPerson(app);
  await positive(person_id);
  const deal = await newDeal(app.admin);
  await app.admin.rest('PATCH', `${CRM}/deals/${deal.id}`, { revision: 1, person_id });
  expect(await openedEvents(app, deal.id)).toHaveLength(1);
  await app.admin.rest('PATCH', `${CRM}/deals/${deal.id}`, { revision: 2, name: 'Another name' });
  expect(await openedEvents(app, deal.id)).toHaveLength(1);
});

test('a deal and a reading at the same moment are told once, whichever commits first', async () => {
  const people = await Promise.all(Array.from({ length: 25 }, () => aPerson(app)));
  const told = await Promise.all(
    people.map(async (person_id, n) => {
      const acts = [() => newDeal(app.admin, { person_id }), () => positive(person_id)];
      const done = await Promise.all((n % 2 ? acts : acts.toReversed()).map((act) => act()));
      const deal = done.find((each) => each !== undefined) as { id: string };
      return (await openedEvents(app, deal.id)).length;
    }),
  );
  expect(told).toEqual(people.map(() => 1));
});

test('two transactions that both are uncommitted: the later one waits, and tells', async () => {
  const person_id = await aPerson(app);
  const database = openDatabase(app.instance.pools, 'test', () => undefined);
  const at = app.clock.now();
  let commit = (): void => undefined;
  const held = new Promise<void>((resolve) => (commit = resolve));
  let noted = (): void => undefined;
  const written = new Promise<void>((resolve) => (noted = resolve));
  const reading = database.transact(async (tx) => {
    const announce: Announce = (event, data) => database.emit(tx, event, data, at);
    await notePositive(tx, announce, { person_id, prospect_id: null, campaign_id: null, at });
    noted();
    await held;
  });
  await written;
  const opening = newDeal(app.admin, { person_id });
  const first = await Promise.race([
    opening.then(() => 'deal'),
    new Promise((resolve) => setTimeout(() => resolve('waits'), 300)),
  ]);
  commit();
  await reading;
  expect(first).toBe('waits');
  expect(await openedEvents(app, (await opening).id)).toHaveLength(1);
});

test('ten readings of one person at once are told once for the deal', async () => {
  const person_id = await aPerson(app);
  const deal = await newDeal(app.admin, { person_id });
  await Promise.all(Array.from({ length: 10 }, () => positive(person_id)));
  expect(await openedEvents(app, deal.id)).toHaveLength(1);
});

const admin = () => ({ rights: { admin: true, policies: [], projects: null } }) as never;

test('two records of one person, one with the reading and one with the deal, are told when they are merged', async () => {
  const [from, into] = [await aPerson(app, 'Twice'), await aPerson(app, 'Once')];
  await positive(from);
  const deal = await newDeal(app.admin, { person_id: into });
  expect(await openedEvents(app, deal.id)).toEqual([]);
  const merged = await app.admin.rest('POST', `${CRM}/people/${into}/merge`, {
    from,
    revision: 1,
    from_revision: 1,
  });
  expect(merged.status, JSON.stringify(merged.body)).toBe(200);
  expect(await openedEvents(app, deal.id)).toMatchObject([{ person_id: into }]);
});

test('of a person who is merged the deals go along; of one who is erased a deal keeps the money and no word', async () => {
  const [from, into] = [await aPerson(app, 'Twice'), await aPerson(app, 'Once')];
  await positive(from);
  const deal = await newDeal(app.admin, { person_id: from, name: 'Call Dana', amount: 5, currency: 'EUR' });
  const now = app.clock.now();
  await app.sql.begin((tx) => dealsOfPerson.move(tx as never, from, into, now, async () => undefined));
  const read = async () => (await app.admin.rest('GET', `${CRM}/deals/${deal.id}`)).body.deal;
  expect(await read()).toMatchObject({ person_id: into, person_name: 'Once' });
  expect(
    await app.sql`select person_id from positive_readings where person_id in (${from}, ${into})`,
  ).toEqual([{ person_id: into }]);
  expect(await dealsOfPerson.timeline?.(app.sql as never, admin(), into, null, 10)).toMatchObject([
    { kind: 'deal_opened', details: { deal_id: deal.id, deal: 'Call Dana' } },
  ]);
  await app.sql.begin((tx) => dealsOfPerson.erase(tx as never, into, now));
  expect(await read()).toMatchObject({ person_id: null, name: 'Erased', amount: 5, currency: 'EUR' });
  expect((await app.admin.rest('GET', `${CRM}/deals?query=dana`)).body.items).toEqual([]);
});
