// Mail in someone's name that their domain says it did not send: it is kept, shown with the warning, stops letters as any answer
// does, and brings no one further before a person says so.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type RestClient, type TestApp } from '../../../../../test/support/app.ts';
import { type Arrival, comesIn, standing, told } from '../../../../../test/support/inbound.ts';
import { aCampaign, aDesk, type TestCampaign } from '../../../../../test/support/letters.ts';
import { sentLetter } from '../../../../../test/support/sent.ts';

let app: TestApp;
let campaign: TestCampaign;
beforeAll(async () => {
  app = await openTestApp();
  campaign = await aCampaign(app, await aDesk(app));
});
afterAll(() => app.close());

const stamped = (said: string): string[] => [
  'Received: from out.elsewhere.example by mx.desk.example with ESMTPS id 1',
  `Authentication-Results: mx.desk.example; ${said}`,
];

async function answered(said: string | null, how: Arrival = {}) {
  const letter = await sentLetter(app, campaign);
  const mail = {
    from: letter.person.address,
    in_reply_to: letter.message_id,
    fields: said === null ? [] : stamped(said),
  };
  const { touch } = await comesIn(app, mail, how);
  return { ...letter, thread_id: String(touch?.['thread_id']) };
}
const read = (thread: string, as: RestClient = app.admin) =>
  as.rest('POST', `/api/threads/${thread}/reading`, { reading: 'positive' });
const dealsFor = async (person_id: string) =>
  (await told(app, 'deal.opened')).filter((each) => each['person_id'] === person_id);

test('a failing one is read as positive by no program: the spine stays at replied and no deal is opened', async () => {
  const forged = await answered('spf=fail; dkim=none; dmarc=fail');
  expect(await standing(app, forged.prospect_id)).toMatchObject({ stage: 'replied', ended: 'replied' });
  const shown = (await app.admin.rest('GET', `/api/threads/${forged.thread_id}`)).body;
  expect(JSON.stringify(shown.touches)).toContain('"dmarc":"fail"');
  const token = await app.token();
  await token.rpc('ping');
  expect((await read(forged.thread_id, token)).body).toMatchObject({ stage: 'replied', deal_id: null });
  expect(await dealsFor(forged.person.id)).toEqual([]);
  const [address] =
    await app.sql`select replied_at from person_addresses where person_id = ${forged.person.id}`;
  expect(address?.['replied_at']).toBeNull();

  expect((await read(forged.thread_id)).body).toMatchObject({
    stage: 'positive',
    deal_id: expect.any(String),
  });
});

test('one that passes, or of which a mailbox’s own server says nothing, is read as before', async () => {
  const token = await app.token();
  await token.rpc('ping');
  for (const said of ['spf=pass; dmarc=pass', 'none', null]) {
    const honest = await answered(said);
    expect((await read(honest.thread_id, token)).body).toMatchObject({ stage: 'positive' });
  }
});

test('one that a vendor took and says nothing of is unverified: it is read as positive by a person alone', async () => {
  const token = await app.token();
  await token.rpc('ping');
  const nothing = await answered(null, { source: 'vendor' });
  const stamped = await answered('dmarc=pass', { source: 'vendor' });
  expect((await read(stamped.thread_id, token)).body).toMatchObject({ stage: 'positive' });
  expect(await standing(app, nothing.prospect_id)).toMatchObject({ stage: 'replied', ended: 'replied' });
  const { touches } = (await app.admin.rest('GET', `/api/threads/${nothing.thread_id}`)).body;
  expect(touches.at(-1).authentication).toEqual({ spf: null, dkim: null, dmarc: null });
  const [address] =
    await app.sql`select replied_at from person_addresses where person_id = ${nothing.person.id}`;
  expect(address?.['replied_at']).toBeNull();
  expect((await read(nothing.thread_id, token)).body).toMatchObject({ stage: 'replied', deal_id: null });
  expect(await dealsFor(nothing.person.id)).toEqual([]);
  expect((await read(nothing.thread_id)).body).toMatchObject({
    stage: 'positive',
    deal_id: expect.any(String),
  });
});
