// Letters that went already, for tests of what becomes of them: rows as the sender leaves them, and reports about them.
import { randomUUID } from 'node:crypto';
import type { Delivery } from '../../src/features/outreach/deliveries/rules.ts';
import { sentIntoThreads } from '../../src/features/inbox/threads/record/out.store.ts';
import { type Recorded, recordDeliveries } from '../../src/features/outreach/deliveries/record.ts';
import { newMessageId } from '../../src/mail/compose/thread.ts';
import type { TestHouse } from './house.ts';
import { enrolled, somebody, type TestCampaign, type TestPerson } from './letters.ts';

export type SentLetter = {
  id: string;
  message_id: string;
  prospect_id: string;
  person: TestPerson;
  campaign: TestCampaign;
};

/** A letter to somebody new that the next hop took, and the account of that. */
export async function sentLetter(
  house: TestHouse,
  campaign: TestCampaign,
  { state = 'sent', person, at = house.clock.now() }: { state?: string; person?: TestPerson; at?: Date } = {},
): Promise<SentLetter> {
  const to = person ?? (await somebody(house));
  const prospect_id = await enrolled(house, campaign, to);
  const id = randomUUID();
  const message_id = newMessageId('example.com');
  await house.sql`insert into sends ${house.sql({
    id,
    kind: 'sequence',
    campaign_id: campaign.id,
    prospect_id,
    person_id: to.id,
    step_id: campaign.step_id,
    identity_id: campaign.identity_id,
    state,
    subject: 'Your bridge',
    text: 'Dear Dana',
    to_address: to.address,
    to_hash: to.hash,
    message_id,
    fingerprint: 'f',
    scheduled_for: at,
    sending_at: at,
    sent_at: state === 'sent' ? at : null,
    delivery: state === 'sent' ? 'accepted' : null,
    created_by_kind: 'system',
    created_by_id: 'test',
    created_by_name: 'test',
    created_at: at,
    updated_at: at,
  })}`;
  const letter = { id, message_id, prospect_id, person: to, campaign };
  if (state === 'sent') await report(house, letter, { kind: 'accepted', source: 'session', at });
  return letter;
}

/** Somebody says what became of it, as the doors record it. */
export async function report(
  house: TestHouse,
  letter: SentLetter | null,
  said: Partial<Delivery> & Pick<Delivery, 'kind'>,
): Promise<Recorded> {
  const now = house.clock.now();
  const delivery: Delivery = {
    key: `test:${randomUUID()}`,
    source: 'vendor',
    send: letter ? { id: letter.id, by: 'id' } : { message_ids: [] },
    status: null,
    cause: null,
    said: null,
    recipient_hash: letter?.person.hash ?? null,
    at: now,
    ...said,
  };
  const { ground } = house.instance.house;
  return ground.transact((tx) =>
    recordDeliveries(tx, [delivery], {
      emit: (event, data) => ground.emit(tx, event, data, now),
      now,
      on_sent: sentIntoThreads,
    }),
  );
}
