// One mail that came in, landed in one transaction: a report of a letter's fate, a copy of what we wrote ourselves, an answer,
// or something that waits for a person. Done twice it is done once: its row is locked and says what happened to it.
import type { ChangeNotification, Transaction } from '../../../../kernel/database.ts';
import { addressHash } from '../../../../mail/address.ts';
import type { ReadMail } from '../../../../mail/inbound/mail.ts';
import { isDoubtful } from '../../../../mail/inbound/authenticity.ts';
import { probeArrived } from '../../../outreach/identities/probe/probe.store.ts';
import { recordDeliveries } from '../../../outreach/deliveries/record.ts';
import { suppress } from '../../../crm/suppressions/store.ts';
import { cleanLine } from '../../threads/record/clean.rules.ts';
import { sentIntoThreads } from '../../threads/record/out.store.ts';
import { threadFor } from '../../threads/record/open.store.ts';
import { attribute } from '../attribution/attribute.ts';
import { isTheirs } from '../attribution/attribution.rules.ts';
import { landedBefore, writerOf } from '../attribution/attribution.store.ts';
import type { Certainty } from '../effects/effects.rules.ts';
import type { Recording, Writer } from '../effects/follow.ts';
import { landOwnCopy } from './own-copy.ts';
import type { Arrived, From } from './read.ts';
import { landReply } from './reply.ts';
import { settleLetter } from './letter.ts';
import { noteReplied, type SettledMail, settleMail, type StoredMail } from '../store.ts';
import { threadOf } from './thread.store.ts';
import { domainsAbove } from '../quarantine/quarantine.rules.ts';
import { ruleMatches } from '../quarantine/quarantine-rules.store.ts';
import { domainOf, shownOf, touchOf } from './as-touch.ts';

export type Landed = SettledMail & { changes: ChangeNotification[] };

/** `later`: its letter is being sent this very moment, and what it says is known in a minute. */
export type Inbound = { landed: Landed } | 'later';

/** `by`: who says what an answer means. */
export type At = Recording;

const ignored = (note: string): Inbound => ({ landed: { state: 'ignored', note, changes: [] } });

export async function landArrived(
  tx: Transaction,
  stored: StoredMail,
  arrived: Arrived,
  at: At,
): Promise<Inbound> {
  const landing = await route(tx, stored, arrived, at);
  if (landing === 'later') return landing;
  const shown = arrived.kind === 'mail' ? { shown: shownOf(arrived.mail) } : {};
  await settleMail(tx, stored.id, { ...landing.landed, ...shown }, at.now);
  return landing;
}

async function route(tx: Transaction, stored: StoredMail, arrived: Arrived, at: At): Promise<Inbound> {
  if (arrived.kind === 'report') {
    const { changes } = await recordDeliveries(tx, arrived.deliveries, { ...at, on_sent: sentIntoThreads });
    return { landed: { state: 'reported', changes } };
  }
  if (stored.folder_role === 'sent') return landOwnCopy(tx, stored, arrived, at);
  const probed = await probeArrived(tx, arrived.verp_sends, at.now);
  if (probed !== null) {
    const changes = [{ topic: 'identities', id: probed }];
    return { landed: { state: 'ignored', note: 'A probe of ours: bounces arrive here.', changes } };
  }
  return landAnswer(tx, stored, arrived, at);
}

async function landAnswer(
  tx: Transaction,
  stored: StoredMail,
  { mail, from, verp_sends }: Extract<Arrived, { kind: 'mail' }>,
  at: At,
): Promise<Inbound> {
  const writer = from === null ? { person_id: null, ours: false } : await writerOf(tx, from);
  const asked = { ...mail, verp_sends, from_hash: from?.hash ?? null };
  const found = await attribute(tx, asked, at.now);
  // Whoever tries a campaign on a colleague answers from an address of ours, and it is an answer.
  const answersOwn = found?.certainty === 'known' && isTheirs(found.place, writer);
  if (writer.ours && !answersOwn) return ignored('It comes from an address of our own senders.');
  if (found) {
    const { send_id, send_state, person_id } = found.place;
    if (send_id !== null && send_state === 'uncertain' && found.certainty === 'known')
      await settleLetter(tx, send_id, 'answered', at);
    const thread_id =
      found.place.thread_id ??
      (await threadFor(tx, { channel: 'email', send_id: send_id as string }, at.now));
    const of = { thread_id, person_id, by: found.by, certainty: found.certainty };
    return answer(tx, stored, mail, { ...of, from, writer_id: writer.person_id }, at);
  }
  const person_id = writer.person_id ?? (await untaggedWriter(tx, mail, from));
  if (person_id === null) return strand(tx, stored, mail, from, NOWHERE, at);
  const belongs = { channel: 'email', person_id, subject: mail.subject } as const;
  const thread_id = await threadFor(tx, { ...belongs, identity_id: stored.identity_id }, at.now);
  const of = { thread_id, person_id, by: null, certainty: 'guessed' as const };
  return answer(tx, stored, mail, { ...of, from, writer_id: person_id }, at);
}

/** `dana+weekly@…` asks for no more letters: dana@… is meant, too. For nothing else two addresses are one. */
async function untaggedWriter(tx: Transaction, { reading }: ReadMail, from: From): Promise<string | null> {
  const [local = '', domain = ''] = from?.normalised.split('@') ?? [];
  const end = local.indexOf('+');
  if (reading.reading !== 'unsubscribe' || end < 1) return null;
  const normalised = `${local.slice(0, end)}@${domain}`;
  return (await writerOf(tx, { normalised, hash: addressHash(normalised) })).person_id;
}

const NOWHERE = 'It doesn’t reply to any letter sent from here, and no person here has this address.';
const GONE = 'Whoever its letter went to is no longer kept here.';

/** Whoever asks for no more letters is heeded, also where no one knows who that is: a link in a letter may have been theirs. */
async function strand(
  tx: Transaction,
  stored: StoredMail,
  mail: ReadMail,
  from: From,
  why: string,
  { by, now }: At,
): Promise<Inbound> {
  const left = { state: 'quarantined', touch_id: null } as const;
  if (from === null || mail.reading.reading !== 'unsubscribe') {
    const domain = domainOf(mail.from?.address ?? null);
    const of = { address: from?.normalised ?? null, list_id: mail.list_id };
    const domains = domain === null ? [] : domainsAbove(domain);
    // What answers a letter of ours waits for a person, also where no one is left to write it down with.
    if (why === NOWHERE && (await ruleMatches(tx, { ...of, domains }, now)))
      return ignored('Dismissed by a rule.');
    return { landed: { ...left, note: why, changes: [] } };
  }
  const { normalised: value } = from;
  const wish = {
    kind: 'address',
    value,
    reason: 'unsubscribe',
    source: 'touch',
    source_ref: stored.id,
  } as const;
  await suppress(tx, wish, by, now);
  const note = 'It asks for no more letters, and no person here has this address. The address is suppressed.';
  return { landed: { ...left, note, changes: [{ topic: 'suppressions', id: '' }] } };
}

export type AnswerOf = {
  thread_id: string;
  /** To whom the letter went that it answers. */
  person_id: string | null;
  by: Parameters<typeof landReply>[1]['attributed_by'];
  certainty: Certainty;
  from: From;
  /** Whose address it came from. */
  writer_id: string | null;
};

/** The mail becomes a touch of this conversation, with everything that follows. */
export async function answer(
  tx: Transaction,
  stored: StoredMail,
  mail: ReadMail,
  { thread_id, person_id: to, by, certainty, from, writer_id }: AnswerOf,
  at: At,
): Promise<Inbound> {
  const thread = await threadOf(tx, thread_id);
  const person_id = to ?? thread.person_id ?? writer_id;
  if (person_id === null) return strand(tx, stored, mail, from, GONE, at);
  const touch = touchOf(stored, mail);
  const { message_id } = touch;
  const said = touch.from?.address ?? null;
  if (
    message_id &&
    said !== null &&
    (await landedBefore(tx, { thread_id: thread.id, message_id, from: cleanLine(said) }))
  )
    return ignored('The same mail has landed already.');
  const doubtful = isDoubtful(touch.authentication ?? null);
  const writer: Writer | null = from && { normalised: from.normalised, person_id: writer_id };
  const landed = await landReply(
    tx,
    {
      ...touch,
      thread_id: thread.id,
      person_id,
      attributed_by: by ?? null,
      reading: {
        ...mail.reading,
        details: { ...mail.reading.details, ...writtenBy(person_id, writer_id), ...junk(stored) },
      },
      // In someone's name, perhaps: it stops letters as any answer does, and brings no one further without a person.
      certainty: doubtful && by !== 'person' ? 'guessed' : certainty,
      returns_on: mail.returns_on,
      writer,
    },
    at,
  );
  if (from && mail.automatic === null && !doubtful) await noteReplied(tx, from.hash, stored.received_at);
  return { landed: { state: 'landed', touch_id: landed.touch_id, changes: landed.changes } };
}

/** Someone else answered for them: it is the conversation's all the same, and says so. */
function writtenBy(person_id: string, writer_id: string | null): Record<string, unknown> {
  if (writer_id === person_id) return {};
  return writer_id === null
    ? { written_by: 'unknown' }
    : { written_by: 'other', written_by_person: writer_id };
}

const junk = ({ folder_role }: StoredMail): Record<string, unknown> =>
  folder_role === 'junk' ? { junk: true } : {};
