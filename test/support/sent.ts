// Letters that went already, for tests of what becomes of them: rows as the sender leaves them, and reports about them.
import { randomUUID } from 'node:crypto';
import type { Delivery } from '../../src/features/outreach/deliveries/rules.ts';
import { sentIntoThreads } from '../../src/features/inbox/threads/record/out.store.ts';
import { type Recorded, recordDeliveries } from '../../src/features/outreach/deliveries/record.ts';
import { newMessageId } from '../../src/mail/compose/thread.ts';
import type { TestApp } from './app.ts';
import { enrolled, somebody, type TestCampaign, type TestPerson } from './letters.ts';

export type SentLetter = {
  id: string;
  message_id: string;
  prospect_id: string;
  person: TestPerson;
  campaign: TestCampaign;
};

/** A letter to someone new that the next hop took, and the account of that. */
export async function sentLetter(
  app: TestApp,
  campaign: TestCampaign,
  { state = 'sent', person, at = app.clock.now() }: { state?: string; person?: TestPerson; at?: Date } = {},
): Promise<SentLetter> {
  const to = person ?? (await somebody(app));
  const prospect_id = await enrolled(app, campaign, to);
  const id = randomUUID();
  const message_id = newMessageId('example.com');
  await app.sql`insert into sends ${app.sql({
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
  if (state === 'sent') await report(app, letter, { kind: 'accepted', source: 'session', at });
  return letter;
}

/** Someone says what happened to it, as the entry points record it. */
export async function report(
  app: TestApp,
  letter: SentLetter | null,
  said: Partial<Delivery> & Pick<Delivery, 'kind'>,
): Promise<Recorded> {
  const now = app.clock.now();
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
  const { database } = app.instance.app;
  return database.transact((tx) =>
    recordDeliveries(tx, [delivery], {
      emit: (event, data) => database.emit(tx, event, data, now),
      now,
      on_sent: sentIntoThreads,
    }),
  );
}
