// Erasing somebody who stands in the conversations of others by their address alone, as a copy or under an address that they had,
// and whose conversations move while it happens.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { aConversation, type Conversation } from '../../../test/letters/conversation.ts';
import { type Desk, layDesk, openDesk } from '../../../test/letters/desk.ts';
import { CRM } from '../../../test/support/crm.ts';
import { aMailAsItCame, everythingSaid } from '../../../test/support/erased.ts';
import type { TestHouse } from '../../../test/support/house.ts';
import { smtpSink, type SmtpSink } from '../../../test/support/smtp.ts';
import { talksIn } from '../../../test/support/threads.ts';
import { addressHash } from '../../mail/address.ts';

let house: TestHouse;
let sink: SmtpSink;
let desk: Desk;
let thread: Conversation;
beforeAll(async () => {
  house = await openDesk();
  sink = await smtpSink();
});
afterAll(async () => {
  await house?.close();
  await sink?.[Symbol.asyncDispose]();
});

const { act, get } = talksIn(() => house);

const KIM = { address: 'kim@acme.example', name: 'Kim Roe' };

beforeEach(async () => {
  await house.sql`truncate idempotency_keys, inbound_mails cascade`;
  desk = await layDesk(house, { identity: { port: sink.port } });
  await desk.send();
  thread = await aConversation(house, desk, { text: 'From Dana.' });
});

const aPerson = async (...addresses: string[]) =>
  (await act(`${CRM}/people`, { name: KIM.name, addresses: addresses.map((value) => ({ value })) }, 201))
    .person;
async function erased(id: string): Promise<void> {
  const { person } = await get(`${CRM}/people/${id}`);
  await act(`${CRM}/people/${id}/erase`, { revision: person.revision }, 200);
}
const left = async (what: RegExp): Promise<string[]> =>
  (await everythingSaid(house)).filter((row) => what.test(row));

test('an address that was taken from somebody earlier is erased with them', async () => {
  const kim = await aPerson(KIM.address, 'Old@acme.example', 'dana-too@acme.example');
  const from = { address: 'old@acme.example', name: KIM.name };
  await thread.writes({ person_id: null, from, text: 'Zebrafish, before anybody knew.' });
  const waiting = { from_hash: addressHash(from.address), from_address: from.address };
  const settled = { state: 'quarantined', settled_at: house.clock.now(), ...waiting };
  await aMailAsItCame(house, 'Zebrafish, whosever this is.', settled);
  const given = { revision: kim.revision, addresses: [{ value: KIM.address }] };
  expect((await house.admin.rest('PATCH', `${CRM}/people/${kim.id}`, given)).status).toBe(200);
  // Somebody else's by now: what comes from it is theirs.
  await aPerson('dana-too@acme.example');
  await thread.writes({
    person_id: null,
    from: { address: 'dana-too@acme.example', name: 'Dana' },
    text: 'Giraffe.',
  });

  await erased(kim.id);

  expect(await left(/zebrafish|old@acme/i)).toEqual([]);
  expect(await left(/^touch .*giraffe/i)).toHaveLength(1);
});
