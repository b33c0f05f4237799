// Handlers for letters that were tried: sending a failed one again, and settling an uncertain one.
import { conflict, invalid, Refusal } from '../../../kernel/refusal.ts';
import { bind, type Bound, type WriteContext } from '../../../kernel/context.ts';
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

const resend = bind(sendResend, async (context, { send, note = null }) => {
  const { db, caller, now } = context;
  await lockProspectsOfLetters(db, [send]);
  const row = await lockSend(db, caller, 'outreach.send.resend', send);
  demandPossible(row, { kind: 'again' }, now);
  if (row.kind === 'answer')
    throw conflict(
      'undo a failed answer with DELETE /api/threads/:thread/answers/:answer/send, then send it again from its thread',
    );
  const { prospect_id, step_id } = row;
  if (prospect_id !== null) {
    await letterAgain(db, { send_id: send, prospect_id, step_id }, caller.principal, now);
    context.tell('prospects', prospect_id);
  }
  const fact = { kind: 'resent', details: { failed: row.failed_reason, note } };
  return shown(context, await goesAgain(context, row, { kind: 'again' }, fact));
});

/** The one way in which a letter that was tried is tried once more. */
async function goesAgain(context: WriteContext, row: LoadedSend, done: Act, fact: Fact): Promise<SendRow> {
  const saved = await act(context.db, row, done, fact, handOf(context));
  await forgetBytes(context.db, row);
  const edit = { by: context.caller.principal, now: context.now };
  if (!(await letterGoesOnceMore(context.db, context.app, saved, edit))) return saved;
  const [relinked] = await sendRows(context.db, [row.id]);
  return relinked ?? saved;
}

const actOf = (outcome: Said['outcome']): Act => ({ kind: outcome === 'sent' ? 'went' : 'did_not_go' });

type Said = { outcome: 'sent' | 'not_sent'; note: string | null };

/** Threads come before prospects, and these before letters. */
async function lockUncertain(
  { db }: WriteContext,
  ids: readonly string[],
  { outcome }: Said,
  on_sent: OnSent,
): Promise<void> {
  if (outcome === 'sent') await on_sent.lock(db, ids);
  await lockProspectsOfLetters(db, ids);
}

/** Locked letters that no one knew of, as a person says it. */
async function settle(
  context: WriteContext,
  rows: readonly LoadedSend[],
  { outcome, note }: Said,
  on_sent: OnSent,
): Promise<SendRow[]> {
  const { db, now } = context;
  const done = actOf(outcome);
  const fact = { kind: 'resolved', details: { outcome, note } };
  const saved: SendRow[] = [];
  for (const row of rows) {
    if (outcome === 'not_sent') {
      saved.push(await goesAgain(context, row, done, fact));
      continue;
    }
    saved.push(await act(db, row, done, fact, handOf(context)));
    const { prospect_id, step_id, sending_at } = row;
    if (prospect_id !== null) await letterWent(db, { prospect_id, step_id, at: sending_at ?? now }, now);
  }
  if (outcome === 'sent') {
    const ids = rows.map(({ id }) => id);
    for (const thread of await on_sent.record(db, ids, now)) context.tell('threads', thread);
  }
  return saved;
}

const resolve = (on_sent: OnSent): Bound =>
  bind(sendResolve, async (context, { send, outcome, note = null }) => {
    const said = { outcome, note };
    await lockUncertain(context, [send], said, on_sent);
    const row = await lockSend(context.db, context.caller, 'outreach.send.resolve', send);
    const [saved] = await settle(context, [row], said, on_sent);
    return shown(context, saved as SendRow);
  });

const resolveMany = (on_sent: OnSent): Bound =>
  bind(sendsResolve, async (context, { sends, outcome, note = null }) => {
    const said = { outcome, note };
    if (new Set(sends).size < sends.length)
      throw invalid('sends: list each letter only once', { sends: 'name each letter once' });
    await lockUncertain(context, sends, said, on_sent);
    const loaded = await lockSends(context.db, context.caller, 'outreach.send.resolve', sends);
    const rows: LoadedSend[] = [];
    const refused: { id: string; code: string; sentence: string }[] = [];
    for (const [id, row] of loaded) {
      const ruled = row instanceof Refusal ? row : ruleSend(row, actOf(outcome), context.now);
      if (ruled instanceof Refusal) refused.push({ id, code: ruled.code, sentence: ruled.sentence });
      else if (!(row instanceof Refusal)) rows.push(row);
    }
    const saved = await settle(context, rows, said, on_sent);
    for (const row of saved) told(context, row);
    if (outcome === 'not_sent') context.tell(LETTERS_DUE, '');
    return { settled: saved.map(({ id, state, revision }) => ({ id, state, revision })), refused };
  });

export const againHandlers = (on_sent: OnSent): Bound[] => [resend, resolve(on_sent), resolveMany(on_sent)];
