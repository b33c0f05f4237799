// What the handlers of answers share: the answer in its conversation, as a draft that may be changed, and how it is told.
import { isAgent } from '../../../kernel/caller.ts';
import { type Refusal, invalid, notFound, stop } from '../../../kernel/refusal.ts';
import type { WriteScene } from '../../../kernel/scene.ts';
import type { LoadedThread } from '../threads/store.ts';
import { around } from './around.store.ts';
import { ruleDraft, ruleWhose } from './rules.ts';
import { toAnswer } from './shown.ts';
import { answerIn, type AnswerRow, draftedBy, filesAmong, type Kept, moveAnswer } from './store.ts';

export const noAnswer = (): Refusal =>
  notFound('answer in this thread', 'GET /api/threads/:thread/answers lists its answers');

export async function keptIn({ db, caller }: WriteScene, home: LoadedThread, id: string): Promise<Kept> {
  const kept = await answerIn(db, caller, home, id);
  if (!kept) throw noAnswer();
  return kept;
}

/** To change it, whoever wrote it; an agent only what it wrote itself. */
export async function ownIn(scene: WriteScene, home: LoadedThread, id: string): Promise<Kept> {
  const kept = await keptIn(scene, home, id);
  const { caller } = scene;
  stop(ruleWhose(draftedBy(kept.answer), caller.principal, isAgent(caller)));
  return kept;
}

/** The answer as a draft that may be changed. One whose letter was called off becomes one here. */
export async function asDraft({ db, now }: WriteScene, { answer, send }: Kept): Promise<AnswerRow> {
  stop(ruleDraft(answer.state, send?.state ?? null));
  if (answer.state === 'draft') return answer;
  await moveAnswer(db, answer, { state: 'draft', send_id: null }, now);
  return { ...answer, state: 'draft', send_id: null };
}

/** Each once, in their order. One of another conversation is none: it may be of people whom the caller may not read. */
export async function filesIn(
  { db }: WriteScene,
  home: LoadedThread,
  ids: readonly string[],
): Promise<string[]> {
  const there = new Set(await filesAmong(db, home.id, ids));
  const at = ids.findIndex((id) => !there.has(id));
  if (at < 0) return [...new Set(ids)];
  const says = 'no file in this thread has that id: upload it first';
  throw invalid(`attachments.${at}: ${says}`, { [`attachments.${at}`]: says });
}

export function say(scene: WriteScene, thread: string, answer: string): void {
  scene.about(`inbox:thread/${thread}/answer/${answer}`);
  scene.tell('threads', thread);
}

export async function shown(scene: WriteScene, home: LoadedThread, id: string) {
  say(scene, home.id, id);
  const at = await around(scene.db, home);
  return { answer: toAnswer(await keptIn(scene, home, id), at, scene.caller) };
}
