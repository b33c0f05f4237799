// An inbox with conversations of every kind, for tests of its screens: people of a campaign who were written to and wrote back,
// as mail that landed.
import { randomUUID } from 'node:crypto';
import { openThread } from '../../src/features/inbox/threads/record/open.store.ts';
import { insertTouch, type NewTouch } from '../../src/features/inbox/threads/record/touch.store.ts';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import type { Reading } from '../../src/kernel/events.rules.ts';
import type { TestApp } from './app.ts';
import { aCampaign, aDesk, somebody, type TestCampaign, type TestPerson } from './letters.ts';
import { sentLetter, type SentLetter } from './sent.ts';

export type InboxDesk = { campaign: TestCampaign; ours: string };

export async function inboxDesk(app: TestApp, name = 'Bridges of Ghent'): Promise<InboxDesk> {
  const desk = await aDesk(app);
  const campaign = await aCampaign(app, desk, { name });
  const [row] = await app.sql<{ address: string }[]>`
    select address from identities where id = ${campaign.identity_id}`;
  return { campaign, ours: row?.address ?? '' };
}

export type Talk = {
  id: string;
  person: TestPerson;
  letter: SentLetter;
  /** They write. */
  writes(said?: Partial<NewTouch>): Promise<string>;
  /** We do, as a letter that went. */
  wrote(said?: Partial<NewTouch>): Promise<string>;
};

const READ_AS: Reading = 'neutral';

/** Someone of the campaign in conversation with us, so far with our letter alone. */
export async function aTalk(app: TestApp, { campaign, ours }: InboxDesk, name: string): Promise<Talk> {
  const { database } = app.instance.app;
  const person = await somebody(app, name);
  const letter = await sentLetter(app, campaign, { person });
  const now = app.clock.now();
  const id = await database.transact((tx) =>
    openThread(
      tx,
      {
        channel: 'email',
        subject: 'Your bridge',
        person_id: person.id,
        prospect_id: letter.prospect_id,
        campaign_id: campaign.id,
        identity_id: campaign.identity_id,
      },
      now,
    ),
  );
  await app.sql`update sends set thread_id = ${id} where id = ${letter.id}`;
  const say = async (direction: 'in' | 'out', said: Partial<NewTouch>): Promise<string> => {
    app.clock.advance(MINUTE_MS);
    const at = app.clock.now();
    const theirs = direction === 'in';
    const touch: NewTouch = {
      thread_id: id,
      direction,
      channel: 'email',
      at,
      from: theirs ? { address: person.address, name } : { address: ours, name: 'Ada Operator' },
      to: [theirs ? ours : person.address],
      subject: theirs ? 'Re: Your bridge' : 'Your bridge',
      text: theirs ? 'We would like to know more.' : `Dear ${name},\nwe saw your bridge.`,
      message_id: `<${randomUUID()}@mail.example>`,
      person_id: person.id,
      ...(theirs && {
        attributed_by: 'in_reply_to' as const,
        reading: { reading: READ_AS, by: 'rule' as const },
      }),
      ...said,
    };
    const { touch_id } = await database.transact((tx) => insertTouch(tx, touch, at));
    database.tell([{ topic: 'threads', id }]);
    return touch_id;
  };
  const talk: Talk = {
    id,
    person,
    letter,
    writes: (said = {}) => say('in', said),
    wrote: (said = {}) => say('out', said),
  };
  await talk.wrote({ send_id: letter.id });
  return talk;
}
