// Handlers for letters that were tried: one that failed is sent again, and a person says what became of one of which nobody knows.
import { conflict, invalid, Refusal } from '../../../kernel/refusal.ts';
import { bind, type Bound, type WriteScene } from '../../../kernel/scene.ts';
import { letterAgain, lockProspectsOfLetters } from '../prospects/stepping/over.store.ts';
import { letterWent } from '../prospects/stepping/steps.store.ts';
import { letterGoesOnceMore } from './draft/reached.store.ts';
import type { OnSent } from './letter/on-sent.ts';
import { LETTERS_DUE } from './letter/flow.store.ts';
import { handOf, told } from './handlers.ts';
import { sendResend, sendResolve, sendsResolve } from './moves.contract.ts';
import { shown } from './moves.handlers.ts';
import type { SendRow } from './letter/row.ts';
import { act, demandPossible, type Fact, forgetBytes } from './letter/save.store.ts';
import { lockSend, lockSends, type LoadedSend, sendRows } from './letter/send.store.ts';
import { type Act, ruleSend } from './letter/send.rules.ts';

const resend = bind(sendResend, async (scene, { send, note = null }) => {
  const { db, caller, now } = scene;
  await lockProspectsOfLetters(db, [send]);
  const row = await lockSend(db, caller, 'outreach.send.resend', send);
  demandPossible(row, { kind: 'again' }, now);
  if (row.kind === 'answer')
    throw conflict(
      'an answer that failed is taken back and sent from its thread: DELETE /api/threads/:thread/answers/:answer/send',
    );
  const { prospect_id, step_id } = row;
  if (prospect_id !== null) {
    await letterAgain(db, { send_id: send, prospect_id, step_id }, caller.principal, now);
    scene.tell('prospects', prospect_id);
  }
  const fact = { kind: 'resent', details: { failed: row.failed_reason, note } };
  return shown(scene, await goesAgain(scene, row, { kind: 'again' }, fact));
});

/** The one way in which a letter that was tried is tried once more. */
async function goesAgain(scene: WriteScene, row: LoadedSend, done: Act, fact: Fact): Promise<SendRow> {
  const saved = await act(scene.db, row, done, fact, handOf(scene));
  await forgetBytes(scene.db, row);
  const edit = { by: scene.caller.principal, now: scene.now };
  if (!(await letterGoesOnceMore(scene.db, scene.house, saved, edit))) return saved;
  const [relinked] = await sendRows(scene.db, [row.id]);
  return relinked ?? saved;
}

const actOf = (outcome: Said['outcome']): Act => ({ kind: outcome === 'sent' ? 'went' : 'did_not_go' });

type Said = { outcome: 'sent' | 'not_sent'; note: string | null };

/** Threads come before prospects, and these before letters. */
async function lockUncertain(
  { db }: WriteScene,
  ids: readonly string[],
  { outcome }: Said,
  on_sent: OnSent,
): Promise<void> {
  if (outcome === 'sent') await on_sent.lock(db, ids);
  await lockProspectsOfLetters(db, ids);
}

/** Locked letters that nobody knew of, as a person says it. */
async function settle(
  scene: WriteScene,
  rows: readonly LoadedSend[],
  { outcome, note }: Said,
  on_sent: OnSent,
): Promise<SendRow[]> {
  const { db, now } = scene;
  const done = actOf(outcome);
  const fact = { kind: 'resolved', details: { outcome, note } };
  const saved: SendRow[] = [];
  for (const row of rows) {
    if (outcome === 'not_sent') {
      saved.push(await goesAgain(scene, row, done, fact));
      continue;
    }
    saved.push(await act(db, row, done, fact, handOf(scene)));
    const { prospect_id, step_id, sending_at } = row;
    if (prospect_id !== null) await letterWent(db, { prospect_id, step_id, at: sending_at ?? now }, now);
  }
  if (outcome === 'sent') {
    const ids = rows.map(({ id }) => id);
    for (const thread of await on_sent.record(db, ids, now)) scene.tell('threads', thread);
  }
  return saved;
}

const resolve = (on_sent: OnSent): Bound =>
  bind(sendResolve, async (scene, { send, outcome, note = null }) => {
    const said = { outcome, note };
    await lockUncertain(scene, [send], said, on_sent);
    const row = await lockSend(scene.db, scene.caller, 'outreach.send.resolve', send);
    const [saved] = await settle(scene, [row], said, on_sent);
    return shown(scene, saved as SendRow);
  });

const resolveMany = (on_sent: OnSent): Bound =>
  bind(sendsResolve, async (scene, { sends, outcome, note = null }) => {
    const said = { outcome, note };
    if (new Set(sends).size < sends.length)
      throw invalid('sends: name each letter once', { sends: 'name each letter once' });
    await lockUncertain(scene, sends, said, on_sent);
    const loaded = await lockSends(scene.db, scene.caller, 'outreach.send.resolve', sends);
    const rows: LoadedSend[] = [];
    const refused: { id: string; code: string; sentence: string }[] = [];
    for (const [id, row] of loaded) {
      const ruled = row instanceof Refusal ? row : ruleSend(row, actOf(outcome), scene.now);
      if (ruled instanceof Refusal) refused.push({ id, code: ruled.code, sentence: ruled.sentence });
      else if (!(row instanceof Refusal)) rows.push(row);
    }
    const saved = await settle(scene, rows, said, on_sent);
    for (const row of saved) told(scene, row);
    if (outcome === 'not_sent') scene.tell(LETTERS_DUE, '');
    return { settled: saved.map(({ id, state, revision }) => ({ id, state, revision })), refused };
  });

export const againHandlers = (on_sent: OnSent): Bound[] => [resend, resolve(on_sent), resolveMany(on_sent)];
