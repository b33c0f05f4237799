// Whom a letter goes to is what enrolling signed for: another address that no one chose who may enrol holds the letter, under
// every policy of reviewing (docs/decisions/0014-letters.md).
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDesk } from '../../../../../test/letters/desk.ts';
import { openReaddressing, type Readdressing } from '../../../../../test/letters/readdressing.ts';
import type { TestApp, TokenClient } from '../../../../../test/support/app.ts';
import {
  aCampaign,
  approved,
  type Desk,
  O,
  somebody,
  type TestCampaign,
} from '../../../../../test/support/letters.ts';

const C = '/api/admin/crm';
const POLICIES = ['every_letter', 'first_touch', 'changed', 'sample', 'none'] as const;

let app: TestApp;
let desk: Desk;
let confirmed: Readdressing['confirmed'];
let done: Readdressing['done'];
let enrol: Readdressing['enrol'];
let go: Readdressing['go'];
let lettersTo: Readdressing['lettersTo'];
let personOf: Readdressing['personOf'];
let readdress: Readdressing['readdress'];
let stranger: Readdressing['stranger'];
let plain: TokenClient;
let wired: TokenClient;
/** With wire, and the right to enrol into this campaign alone. */
let half: TokenClient;
let elsewhere: TestCampaign;
beforeAll(async () => {
  app = await openDesk();
  ({ desk, confirmed, done, enrol, go, lettersTo, personOf, readdress, stranger } =
    await openReaddressing(app));
  plain = await app.token();
  wired = await app.token({ scopes: { wire: true } });
  elsewhere = await campaignOf('none');
  const statements = [
    { effect: 'allow', actions: ['crm.person.*'], resources: ['*'] },
    {
      effect: 'allow',
      actions: ['outreach.prospect.enrol'],
      resources: [`outreach:campaign/${elsewhere.id}`],
    },
  ];
  await done(app.admin, 'POST', '/api/admin/policies', { name: 'half', version: 1, statements });
  half = await app.token({ mode: 'service', policies: ['half'], scopes: { wire: true } });
});
afterAll(() => app?.close());

const campaignOf = (review_policy: string) =>
  aCampaign(app, desk, { review_policy, exclusive: false, ...(review_policy === 'none' && confirmed()) });

describe.each(POLICIES)('under the policy %s', (policy) => {
  test('hole A1: an address that a token without wire changed holds the letter with a reason of its own', async () => {
    const campaign = await campaignOf(policy);
    const person = await somebody(app);
    await enrol(campaign.id, person.id);
    const address = await readdress(plain, person.id);
    await go();
    app.clock.advance(20 * 60_000);
    await go();
    const [letter] = await lettersTo(person.id);
    expect(letter).toMatchObject({ to_address: address, state: 'held', hold_reason: 'address_changed' });
    const { send, outlook } = await done(app.admin, 'GET', `${O}/sends/${letter?.['id']}`, undefined);
    expect(send.hold).toMatchObject({ reason: 'address_changed', who: 'person' });
    expect(outlook.gates.find(({ gate }: { gate: string }) => gate === 'address')).toMatchObject({
      verdict: 'hold',
      reason: 'address_changed',
    });
    // The token meets the wire where it would confirm the address itself.
    expect((await approved(plain, send.id)).body.error.code).toBe('wire_required');
    expect((await approved(app.admin, send.id)).status).toBe(200);
    await go();
    expect((await lettersTo(person.id))[0]).toMatchObject({ state: 'sent' });
  });

  test('hole A2: someone enrolled who is merged into a record of a token keeps their letter from its address', async () => {
    const campaign = await campaignOf(policy);
    const person = await somebody(app);
    await enrol(campaign.id, person.id);
    const made = await done(plain, 'POST', `${C}/people`, {
      name: 'Eve',
      addresses: [{ value: stranger() }],
    });
    const { revision: from_revision } = await personOf(person.id);
    const body = { from: person.id, revision: made.person.revision, from_revision };
    await done(plain, 'POST', `${C}/people/${made.person.id}/merge`, body);
    await go();
    const [letter] = await lettersTo(made.person.id);
    expect(letter).toMatchObject({ state: 'held', hold_reason: 'address_changed' });
  });
});

test('hole A2: the words of the record that they are merged into are read, where edited values are', async () => {
  const campaign = await campaignOf('changed');
  const [person, quiet] = [await somebody(app, 'Dana Roe'), await somebody(app, 'Finn Lark')];
  await enrol(campaign.id, person.id, quiet.id);
  for (const { id, name } of [
    { id: person.id, name: 'Pay at evil.example' },
    { id: quiet.id, name: 'Finn Lark' },
  ]) {
    const into = (await done(plain, 'POST', `${C}/people`, { name, basis: 'consent', source: 'x' })).person;
    const { revision: from_revision } = await personOf(id);
    await done(plain, 'POST', `${C}/people/${into.id}/merge`, {
      from: id,
      revision: into.revision,
      from_revision,
    });
    await go();
    const [letter] = await lettersTo(into.id);
    expect(letter).toMatchObject(
      name === 'Finn Lark' ? { state: 'sent' } : { state: 'review', review_reason: 'changed' },
    );
  }
});

test('hole A1: whoever may enrol changes the address, and letters go there', async () => {
  const campaign = await campaignOf('none');
  const [one, other] = [await somebody(app), await somebody(app)];
  await enrol(campaign.id, one.id, other.id);
  const address = await readdress(app.admin, one.id);
  await readdress(plain, other.id);
  const theirs = await readdress(wired, other.id);
  await go();
  expect((await lettersTo(one.id))[0]).toMatchObject({ to_address: address, state: 'sent' });
  expect((await lettersTo(other.id))[0]).toMatchObject({ to_address: theirs, state: 'sent' });
});

test('hole A1: wire without the right to enrol into the campaign chooses no address for it', async () => {
  const campaign = await campaignOf('none');
  const person = await somebody(app);
  await enrol(campaign.id, person.id);
  await enrol(elsewhere.id, person.id);
  await readdress(half, person.id);
  await go();
  const letters = await lettersTo(person.id);
  expect(letters.find((each) => each['campaign_id'] === campaign.id)).toMatchObject({
    hold_reason: 'address_changed',
  });
  expect(letters.find((each) => each['campaign_id'] === elsewhere.id)).toMatchObject({ state: 'sent' });
});

test('hole A1: an edit of something else by whoever may enrol does not take over the address of a token', async () => {
  const campaign = await campaignOf('none');
  const person = await somebody(app);
  await enrol(campaign.id, person.id);
  const address = await readdress(plain, person.id);
  const { revision } = await personOf(person.id);
  const same = { revision, title: 'Engineer', addresses: [{ value: address }] };
  await done(app.admin, 'PATCH', `${C}/people/${person.id}`, same);
  await go();
  expect((await lettersTo(person.id))[0]).toMatchObject({ state: 'held', hold_reason: 'address_changed' });
});

describe('hole A1: of a letter that is written already', () => {
  const onItsWay = async () => {
    const campaign = await campaignOf('none');
    const person = await somebody(app);
    await enrol(campaign.id, person.id);
    await app.sql`update campaigns set state = 'paused', paused_reason = 'person' where id = ${campaign.id}`;
    const resume = () =>
      app.sql`update campaigns set state = 'active', paused_reason = null where id = ${campaign.id}`;
    await resume();
    await app.instance.jobs.run('stepping');
    return { campaign, person, resume };
  };

  test('no edit of the person takes it elsewhere', async () => {
    const { person } = await onItsWay();
    await readdress(plain, person.id);
    await go();
    expect((await lettersTo(person.id))[0]).toMatchObject({ to_address: person.address, state: 'sent' });
  });

  test('an address put back by the token lets a held letter go where it was meant to go', async () => {
    const campaign = await campaignOf('none');
    const person = await somebody(app);
    await enrol(campaign.id, person.id);
    await readdress(plain, person.id);
    await go();
    await readdress(plain, person.id, person.address);
    const [letter] = await lettersTo(person.id);
    const { revision } = (await done(plain, 'GET', `${O}/sends/${letter?.['id']}`, undefined)).send;
    await done(plain, 'PATCH', `${O}/sends/${letter?.['id']}`, { revision, to: person.address });
    await go();
    // It was edited by then, and someone reads it.
    expect((await lettersTo(person.id))[0]).toMatchObject({ to_address: person.address, state: 'review' });
  });
});

test('hole A1: approving the held letter by whoever may enrol confirms the address for the letters after it', async () => {
  const campaign = await campaignOf('none');
  await app.sql`insert into sequence_steps (id, campaign_id, position, kind, subject, text, same_thread)
    values (gen_random_uuid(), ${campaign.id}, 1, 'letter', '', 'Once more, {{ person.name }}', true)`;
  const person = await somebody(app);
  await enrol(campaign.id, person.id);
  await readdress(plain, person.id);
  await go();
  const [first] = await lettersTo(person.id);
  expect((await approved(app.admin, first?.['id'])).status).toBe(200);
  await go();
  app.clock.advance(60_000);
  await go();
  expect((await lettersTo(person.id)).map((each) => each['state'])).toEqual(['sent', 'sent']);
});

test('hole A1: a follow-up under first_touch goes to no other address than the first letter', async () => {
  const campaign = await campaignOf('first_touch');
  await app.sql`insert into sequence_steps (id, campaign_id, position, kind, wait_days, subject, text, same_thread)
    values (gen_random_uuid(), ${campaign.id}, 1, 'letter', 1, '', 'Once more, {{ person.name }}', true)`;
  const person = await somebody(app);
  await enrol(campaign.id, person.id);
  await go();
  const [first] = await lettersTo(person.id);
  await approved(app.admin, first?.['id']);
  await readdress(plain, person.id);
  await go();
  app.clock.advance(2 * 86_400_000);
  await go();
  expect((await lettersTo(person.id)).map((each) => [each['state'], each['hold_reason']])).toEqual([
    ['sent', null],
    ['held', 'address_changed'],
  ]);
});
