// Sending an answer, which is wire act 2, and undoing it while it has not started.
import { conflict, Refusal, stop } from '../../../kernel/refusal.ts';
import { bind, type Bound } from '../../../kernel/context.ts';
import { referencesTo } from '../../../mail/compose/thread.ts';
import { insertAnswer } from '../../outreach/sends/draft/answer.store.ts';
import { act } from '../../outreach/sends/letter/save.store.ts';
import { lockRows } from '../../outreach/sends/letter/send.store.ts';
import { saveThread } from '../threads/save.store.ts';
import { lockThread } from '../threads/store.ts';
import { around, type Parent, parentOf } from './around.store.ts';
import { answerSend, answerTakeBack } from './contract.ts';
import { letterOf, mailbox, readFingerprint } from './letter.ts';
import { asDraft, keptIn, noAnswer, shown } from './loaded.ts';
import {
  ofLetter,
  NOTHING_TO_ANSWER,
  ruleAnswerable,
  ruleQuoteRead,
  ruleRead,
  ruleTakeBack,
  senderMissing,
  startOf,
} from './rules.ts';
import { draftedBy, moveAnswer, threadOfAnswer, unfinishedOf } from './store.ts';

const send = bind(answerSend, async (context, { thread, answer, fingerprint, not_before }) => {
  const { db, caller, now } = context;
  const named = thread ?? (await threadOfAnswer(db, answer));
  if (named === null) throw noAnswer();
  const home = await lockThread(db, caller, 'inbox.thread.send', named);
  const kept = await keptIn(context, home, answer);
  const standing = kept.send?.state === 'cancelled' ? null : kept.send;
  // A second click, or a call that was made again because its answer was lost: one letter.
  if (standing && standing.fingerprint === ofLetter(fingerprint)) return shown(context, home, answer);
  const starts_at = startOf(not_before, now);
  if (starts_at instanceof Refusal) throw starts_at;
  const row = await asDraft(context, kept);
  stop(ruleQuoteRead(kept.hidden));
  const at = await around(db, home);
  stop(ruleAnswerable(home.channel, at.theirs));
  const { sender, theirs } = at;
  const missing = senderMissing(sender);
  if (missing !== null || !sender || !theirs) throw conflict(missing ?? NOTHING_TO_ANSWER);
  const said = letterOf({ ...kept, answer: row }, sender);
  stop(ruleRead(fingerprint, readFingerprint(said, at.newest)));
  const { subject, text, html, to_address, cc, attachments } = said;
  const parent = row.answers_touch === null ? null : await parentOf(db, row.answers_touch);
  const send_id = await insertAnswer(
    db,
    {
      thread_id: home.id,
      person_id: theirs.person_id ?? home.person_id,
      sender,
      to: mailbox(to_address),
      cc: cc.map(mailbox),
      words: { subject, text, html },
      attachments,
      in_reply_to: parent?.message_id ?? null,
      quotes_touch: said.quoted === null ? null : row.answers_touch,
      references: parent ? threadedBy(parent) : [],
      starts_at,
    },
    { by: caller.principal, token: caller.credential.kind === 'token' ? caller.credential.id : null },
    now,
  );
  await moveAnswer(db, row, { state: 'sending', send_id }, now);
  // Until then no one has to look at it: what holds the answer then is in an open conversation again.
  if (not_before !== undefined && home.state === 'open')
    await saveThread(db, home, { given: { state: 'snoozed', snoozed_until: starts_at } }, now);
  context.tell('sends', send_id);
  return shown(context, home, answer);
});

const takeBack = bind(answerTakeBack, async (context, { thread, answer }) => {
  const { db, caller, now } = context;
  const home = await lockThread(db, caller, 'inbox.thread.answer', thread);
  const { answer: row, send: seen } = await keptIn(context, home, answer);
  if (row.state !== 'sending' || !seen) return shown(context, home, answer);
  const [letter] = await lockRows(db, [seen.id]);
  if (!letter) throw new Error('a letter of an answer is gone');
  stop(ruleTakeBack(letter.state));
  const others = await unfinishedOf(db, caller, home, draftedBy(row));
  if (others.some(({ answer: other }) => other.id !== row.id))
    throw conflict('this answer’s author has another draft in this thread: send or discard that one first');
  if (letter.state === 'scheduled' || letter.state === 'held')
    await act(
      db,
      letter,
      { kind: 'cancel', reason: 'taken_back' },
      { kind: 'taken_back', details: {} },
      { by: caller.principal, now, emit: context.emit },
    );
  await moveAnswer(db, row, { state: 'draft', send_id: null }, now);
  // Put off until this answer was to go, by sending it later.
  if (home.snoozed_until !== null && home.snoozed_until === seen.scheduled_for?.toISOString())
    await saveThread(db, home, { given: { state: 'open', snoozed_until: null } }, now);
  context.tell('sends', letter.id);
  return shown(context, home, answer);
});

const threadedBy = ({ message_id, in_reply_to, message_references }: Parent): string[] =>
  message_id === null ? [] : referencesTo({ message_id, in_reply_to, references: message_references });

export const sendHandlers: Bound[] = [send, takeBack];
