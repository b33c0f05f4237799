// Reads something again, with everything that follows, in one transaction: the one way for a person's correction and for what a
// model says late. Never tells the world again that someone wrote; a deal that it opens is told.
import type { ChangeNotification, Transaction } from '../../../kernel/database.ts';
import { parseAddress } from '../../../mail/address.ts';
import { writerNamed } from '../inbound/attribution/attribution.store.ts';
import { circumstanceOf } from '../inbound/effects/effects.rules.ts';
import { follow, type Followed, type Recording } from '../inbound/effects/follow.ts';
import type { ThreadOf } from '../inbound/land/thread.store.ts';
import { certaintyFor } from './rules.ts';
import { type NewReading, type ReadTouch, saveReading } from './store.ts';

export type Applied = Omit<Followed, 'news'> & { person_id: string | null; changes: ChangeNotification[] };

/** The thread and the touch are locked. */
export async function readAnew(
  tx: Transaction,
  thread: ThreadOf,
  touch: ReadTouch,
  said: NewReading,
  recording: Recording,
): Promise<Applied> {
  await saveReading(tx, touch, said, recording.now);
  const told: ChangeNotification[] = [{ topic: 'threads', id: thread.id }];
  const person_id = touch.person_id ?? thread.person_id;
  if (person_id === null) return { move: null, deal_id: null, held_until: null, person_id, changes: told };
  const returns_on = said.details.returns_on ?? touch.details['returns_on'];
  const from = touch.from_address === null ? null : parseAddress(touch.from_address);
  const followed = await follow(
    tx,
    {
      place: {
        thread_id: thread.id,
        person_id,
        prospect_id: thread.prospect_id,
        campaign_id: thread.campaign_id,
      },
      touch_id: touch.id,
      reading: said.reading,
      certainty: certaintyFor(said.by, touch),
      circumstance: circumstanceOf(said.reading, { ...touch.details, ...said.details }, said.by),
      automatic: touch.automatic,
      returns_on: typeof returns_on === 'string' ? returns_on : null,
      writer: from?.ok ? await writerNamed(tx, from.address.normalised) : null,
    },
    recording,
  );
  return { ...followed, person_id, changes: [...told, ...followed.changes] };
}
