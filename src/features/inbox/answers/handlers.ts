// Handlers of drafted answers. All of them lock the conversation, so that two authors, or a message that arrives meanwhile, come
// one after the other.
import { z } from 'zod';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { conflict, stop } from '../../../kernel/refusal.ts';
import { bind, type Bound } from '../../../kernel/context.ts';
import { id as uuid, time } from '../../../kernel/shapes.ts';
import { loadThread, lockThread } from '../threads/store.ts';
import { around } from './around.store.ts';
import { keepFile } from '../../outreach/sequences/file.store.ts';
import { answerAttach, answerDiscard, answerDraft, answerList, answerUpdate } from './contract.ts';
import { answerFiles } from './files.store.ts';
import { saysTheSame, writtenIn } from './letter.ts';
import { asDraft, filesIn, ownIn, say, shown } from './loaded.ts';
import { ruleRevision, ruleUpload } from './rules.ts';
import { toAnswer } from './shown.ts';
import { answersOf, insertDraft, moveAnswer, unfinishedOf, writeDraft } from './store.ts';

const list = bind(answerList, async ({ db, caller }, { thread, limit, cursor }) => {
  const key = keyIn(cursor, () => z.tuple([time, uuid]));
  const loaded = await loadThread(db, caller, 'inbox.thread.read', thread);
  const kept = await answersOf(db, caller, loaded, key, limit + 1);
  const at = await around(db, loaded);
  const rows = kept.map((each) => toAnswer(each, at, caller));
  return pageOf(rows, limit, ({ created_at, id }) => [created_at, id]);
});

const draft = bind(answerDraft, async (context, { thread, revision, attachments, ...given }) => {
  const { db, caller, now } = context;
  const home = await lockThread(db, caller, 'inbox.thread.answer', thread);
  const [at, unfinished] = await Promise.all([around(db, home), unfinishedOf(db, caller, home)]);
  const files = await filesIn(context, home, attachments ?? []);
  const own = unfinished[0];
  if (!own) {
    if (revision !== undefined)
      throw conflict('you have no draft in this thread: leave revision out to write one');
    const id = await insertDraft(
      db,
      home.id,
      writtenIn(caller, home, at, files, given),
      caller.principal,
      now,
    );
    return shown(context, home, id);
  }
  const row = await asDraft(context, own);
  const said = writtenIn(caller, home, at, files, given);
  // The same words once more are the same act: an agent that lost the answer asks again.
  if (revision === undefined && saysTheSame(own, said)) return shown(context, home, row.id);
  stop(ruleRevision(row, revision));
  await writeDraft(db, row, said, now);
  return shown(context, home, row.id);
});

const update = bind(answerUpdate, async (context, { thread, answer, revision, attachments, ...given }) => {
  const { db, caller, now } = context;
  const home = await lockThread(db, caller, 'inbox.thread.answer', thread);
  const own = await ownIn(context, home, answer);
  const row = await asDraft(context, own);
  stop(ruleRevision(row, revision));
  // New text without HTML makes it plain: the old HTML would say something else.
  const html = given.html === undefined && given.text === undefined ? row.html : (given.html ?? null);
  const { text = row.text, subject = row.subject, cc = row.cc, quote } = given;
  const files = await filesIn(context, home, attachments ?? own.files.map(({ id }) => id));
  const said = writtenIn(caller, home, await around(db, home), files, {
    text,
    subject,
    cc,
    html,
    quote,
    quoted: row.quotes,
  });
  await writeDraft(db, row, said, now);
  return shown(context, home, row.id);
});

const attach = bind(answerAttach, async (context, { thread, ...file }) => {
  const { db, caller, now } = context;
  const home = await lockThread(db, caller, 'inbox.thread.answer', thread);
  context.about(`inbox:thread/${home.id}`);
  stop(ruleUpload(await answerFiles.countIn(db, home.id)));
  return { attachment: await keepFile(db, file, { thread_id: home.id }, now) };
});

const discard = bind(answerDiscard, async (context, { thread, answer }) => {
  const { db, caller, now } = context;
  const home = await lockThread(db, caller, 'inbox.thread.answer', thread);
  const kept = await ownIn(context, home, answer);
  if (kept.answer.state !== 'discarded') {
    const row = await asDraft(context, kept);
    await moveAnswer(db, row, { state: 'discarded', send_id: null }, now);
  }
  say(context, home.id, answer);
  return { ok: true } as const;
});

export const answerHandlers: Bound[] = [list, draft, update, attach, discard];
