// What the handlers of answers share: the answer in its conversation, as a draft that may be changed, and how it is told.
import { isAgent } from '../../../kernel/caller.ts';
import { type Refusal, invalid, notFound, stop } from '../../../kernel/refusal.ts';
import type { WriteContext } from '../../../kernel/context.ts';
import type { LoadedThread } from '../threads/store.ts';
import { around } from './around.store.ts';
import { ruleDraft, ruleWhose } from './rules.ts';
import { toAnswer } from './shown.ts';
import { answerIn, type AnswerRow, draftedBy, filesAmong, type Kept, moveAnswer } from './store.ts';

export const noAnswer = (): Refusal =>
  notFound('answer in this thread', 'GET /api/threads/:thread/answers lists its answers');

export async function keptIn({ db, caller }: WriteContext, home: LoadedThread, id: string): Promise<Kept> {
  const kept = await answerIn(db, caller, home, id);
  if (!kept) throw noAnswer();
  return kept;
}

/** To change it, whoever wrote it; an agent only what it wrote itself. */
export async function ownIn(context: WriteContext, home: LoadedThread, id: string): Promise<Kept> {
  const kept = await keptIn(context, home, id);
  const { caller } = context;
  stop(ruleWhose(draftedBy(kept.answer), caller.principal, isAgent(caller)));
  return kept;
}

/** The answer as a draft that may be changed. One whose letter was called off becomes one here. */
export async function asDraft({ db, now }: WriteContext, { answer, send }: Kept): Promise<AnswerRow> {
  stop(ruleDraft(answer.state, send?.state ?? null));
  if (answer.state === 'draft') return answer;
  await moveAnswer(db, answer, { state: 'draft', send_id: null }, now);
  return { ...answer, state: 'draft', send_id: null };
}

/** Each once, in their order. One of another conversation is none: it may be of people whom the caller may not read. */
export async function filesIn(
  { db }: WriteContext,
  home: LoadedThread,
  ids: readonly string[],
): Promise<string[]> {
  const there = new Set(await filesAmong(db, home.id, ids));
  const at = ids.findIndex((id) => !there.has(id));
  if (at < 0) return [...new Set(ids)];
  const says = 'no file in this thread has that id: upload it first';
  throw invalid(`attachments.${at}: ${says}`, { [`attachments.${at}`]: says });
}

export function say(context: WriteContext, thread: string, answer: string): void {
  context.about(`inbox:thread/${thread}/answer/${answer}`);
  context.tell('threads', thread);
}

export async function shown(context: WriteContext, home: LoadedThread, id: string) {
  say(context, home.id, id);
  const at = await around(context.db, home);
  return { answer: toAnswer(await keptIn(context, home, id), at, context.caller) };
}
