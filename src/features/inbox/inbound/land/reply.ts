// The one way by which something that someone said to us comes in: its touch, the event, and what follows, in one transaction.
// Mail lands through here, and so do the posts of forms and what people log of calls.
import type { ChangeNotification, Transaction } from '../../../../kernel/database.ts';
import type { SpineMove } from '../../../outreach/prospects/spine/spine.rules.ts';
import { insertTouch, type NewTouch } from '../../threads/record/touch.store.ts';
import { type Certainty, circumstanceOf } from '../effects/effects.rules.ts';
import { follow, type Recording, type Writer } from '../effects/follow.ts';
import { threadOf } from './thread.store.ts';

/**
 * As `insertTouch` takes it, with the reading that is known at landing. Ask `threadFor` for the thread before any prospect is
 * locked. `person_id`: whom it is from; the thread's person where nothing is given. Of no one that we know (null in both)
 * there is a touch and nothing else: an event names a person.
 */
export type Reply = Omit<NewTouch, 'direction' | 'note' | 'reading'> & {
  reading: NonNullable<NewTouch['reading']>;
  certainty: Certainty;
  /** Of an away message: the day when they are back, `2026-03-02`. */
  returns_on?: string | null;
  /** Whose address it came from, where it has one; an opt-out is theirs too. */
  writer?: Writer | null;
};

export type LandedReply = {
  thread_id: string;
  touch_id: string;
  /** False: it had landed before, and nothing was done again. */
  made: boolean;
  move: SpineMove | null;
  deal_id: string | null;
  /** For `tell`, after the commit. */
  changes: ChangeNotification[];
};

export async function landReply(
  tx: Transaction,
  { certainty, returns_on, writer, ...said }: Reply,
  recording: Recording,
): Promise<LandedReply> {
  const { thread_id, touch_id, made } = await insertTouch(tx, { ...said, direction: 'in' }, recording.now);
  const landed = { thread_id, touch_id, made, move: null, deal_id: null };
  const thread = await threadOf(tx, thread_id);
  const person_id = said.person_id ?? thread.person_id;
  if (!made || person_id === null) return { ...landed, changes: [{ topic: 'threads', id: thread_id }] };
  const { campaign_id, prospect_id } = thread;
  const { reading } = said.reading;
  await recording.emit('reply.landed', { touch_id, person_id, campaign_id, channel: said.channel, reading });
  const { move, deal_id, changes } = await follow(
    tx,
    {
      place: { thread_id, person_id, prospect_id, campaign_id },
      touch_id,
      reading,
      certainty,
      circumstance: circumstanceOf(reading, said.reading.details ?? {}, said.reading.by),
      automatic: said.automatic ?? false,
      returns_on: returns_on ?? null,
      writer: writer ?? null,
    },
    recording,
  );
  const topics = [
    { topic: 'threads', id: thread_id },
    { topic: 'people', id: person_id },
  ];
  return { ...landed, move, deal_id, changes: [...topics, ...changes] };
}
