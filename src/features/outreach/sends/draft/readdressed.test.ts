// Who chose another address for someone who is enrolled: neither a merge that leaves it as it was, nor an approval of another
// letter than the one that goes there.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDesk } from '../../../../../test/letters/desk.ts';
import { openReaddressing, type Readdressing } from '../../../../../test/letters/readdressing.ts';
import type { TestApp, TokenClient } from '../../../../../test/support/app.ts';
import { aCampaign, approved, type Desk, somebody } from '../../../../../test/support/letters.ts';

const C = '/api/admin/crm';

let app: TestApp;
let desk: Desk;
let confirmed: Readdressing['confirmed'];
let done: Readdressing['done'];
let enrol: Readdressing['enrol'];
let go: Readdressing['go'];
let lettersTo: Readdressing['lettersTo'];
let personOf: Readdressing['personOf'];
let readdress: Readdressing['readdress'];
let plain: TokenClient;
beforeAll(async () => {
  app = await openDesk();
  ({ desk, confirmed, done, enrol, go, lettersTo, personOf, readdress } = await openReaddressing(app));
  plain = await app.token();
});
afterAll(() => app?.close());

const unreviewed = () => aCampaign(app, desk, { review_policy: 'none', exclusive: false, ...confirmed() });

test('hole A1: a merge that leaves the first address as it was does not take over the address of a token', async () => {
  const campaign = await unreviewed();
  const [person, twin, blank] = [await somebody(app), await somebody(app), await somebody(app)];
  await enrol(campaign.id, person.id, blank.id);
  await readdress(plain, person.id);
  const { revision } = await personOf(blank.id);
  await done(plain, 'PATCH', `${C}/people/${blank.id}`, { revision, addresses: [] });
  const mergeInto = async (into: string, from: string) => {
    const [kept, gone] = [await personOf(into), await personOf(from)];
    const body = { from, revision: kept.revision, from_revision: gone.revision };
    await done(app.admin, 'POST', `${C}/people/${into}/merge`, body);
  };
  await mergeInto(person.id, twin.id);
  const other = await somebody(app);
  await mergeInto(blank.id, other.id);
  await go();
  expect((await lettersTo(person.id))[0]).toMatchObject({ state: 'held', hold_reason: 'address_changed' });
  // Whoever may enrol gave this one their first address by merging.
  expect((await lettersTo(blank.id))[0]).toMatchObject({ to_address: other.address, state: 'sent' });
});

test('hole A1: an approval confirms the address of its letter, whatever a token makes the first one meanwhile', async () => {
  const campaign = await unreviewed();
  const person = await somebody(app);
  await enrol(campaign.id, person.id);
  await readdress(plain, person.id);
  await go();
  const [letter] = await lettersTo(person.id);
  const hold = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const holding = app.sql.begin(async (tx) => {
    await tx`select 1 from sends where id = ${letter?.['id']} for update`;
    held.resolve();
    await hold.promise;
  });
  await held.promise;
  const approving = approved(app.admin, letter?.['id']);
  try {
    await expect
      .poll(
        () => app.sql`select 1 from pg_stat_activity where datname = current_database()
          and wait_event_type = 'Lock' and query like '%sends%'`,
      )
      .toHaveLength(1);
    await readdress(plain, person.id);
  } finally {
    hold.resolve();
  }
  await holding;
  expect((await approving).status).toBe(200);
  const [prospect] = await app.sql`select to_hash from prospects where person_id = ${person.id}`;
  expect(prospect?.['to_hash']).toBe(letter?.['to_hash']);
});

test('hole A1: an address for someone who had none when addresses began to be compared is no one’s choice yet', async () => {
  const campaign = await unreviewed();
  const person = await somebody(app);
  await enrol(campaign.id, person.id);
  await app.sql`update prospects set to_hash = null where person_id = ${person.id}`;
  await app.sql.unsafe(await readFile('migrations/before-0.2.0/0041_no_address_known.sql', 'utf8'));
  await readdress(plain, person.id);
  await go();
  const [letter] = await lettersTo(person.id);
  expect(letter).toMatchObject({ state: 'held', hold_reason: 'address_changed' });
  expect((await approved(app.admin, letter?.['id'])).status).toBe(200);
  await go();
  expect((await lettersTo(person.id))[0]).toMatchObject({ state: 'sent' });
});
