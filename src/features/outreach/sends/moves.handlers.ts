// Handlers that move letters from state to state. The rules are in send.rules.ts; gates are evaluated on the facts.
import { conflict, invalid, Refusal } from '../../../kernel/refusal.ts';
import { bind, type Bound, type WriteContext } from '../../../kernel/context.ts';
import type { AnyOperation } from '../../../kernel/operation.ts';
import { factsOf } from './gates/facts.store.ts';
import { LETTERS_DUE } from './letter/flow.store.ts';
import { handOf, told } from './handlers.ts';
import {
  sendApprove,
  sendCancel,
  sendHold,
  sendRecheck,
  sendReject,
  sendReturn,
  sendsApprove,
  sendsUnapprove,
} from './moves.contract.ts';
import { addressApproved, lockReaddressed } from '../prospects/enrol/address.store.ts';
import { letterOver, lockProspectsOfLetters } from '../prospects/stepping/over.store.ts';
import { type SendRow, toSend } from './letter/row.ts';
import { act, type Fact } from './letter/save.store.ts';
import { lockSend, lockSends, type LoadedSend, noSend } from './letter/send.store.ts';
import { type Act, ruleSend, undoableUntil } from './letter/send.rules.ts';
import { lookAgain } from './gates/stops.ts';

async function move(
  context: WriteContext,
  operation: AnyOperation,
  send: string,
  done: Act,
  fact: Fact,
): Promise<{ send: ReturnType<typeof toSend> }> {
  const action = 'action' in operation.needs ? operation.needs.action : '';
  const row = await lockSend(context.db, context.caller, action, send);
  return shown(context, await act(context.db, row, done, fact, handOf(context)));
}

/** The answer of an act on one letter, and who is told. */
export function shown(context: WriteContext, row: SendRow): { send: ReturnType<typeof toSend> } {
  context.about(`outreach:send/${row.id}`);
  told(context, row);
  if (row.state === 'scheduled') context.tell(LETTERS_DUE, '');
  return { send: toSend(row, context.caller) };
}

type Approving = { fingerprint: string; undoable?: boolean | undefined };

const approvalBy = (
  { caller, now }: WriteContext,
  row: Pick<SendRow, 'scheduled_for'>,
  { fingerprint, undoable = false }: Approving,
): Act => ({
  kind: 'approve',
  by: caller.principal,
  token: caller.credential.kind === 'token' ? caller.credential.id : null,
  fingerprint,
  starts_at: undoable ? undoableUntil(row, now) : null,
});

const approve = bind(sendApprove, async (context, { send, ...approving }) => {
  const readdressed = await lockReaddressed(context.db, [send]);
  const row = await lockSend(context.db, context.caller, 'outreach.send.approve', send);
  const fact = { kind: 'approved', details: { fingerprint: approving.fingerprint } };
  const done = shown(
    context,
    await act(context.db, row, approvalBy(context, row, approving), fact, handOf(context)),
  );
  await addressApproved(context.db, context.caller, readdressed, context.now);
  return done;
});

const approveMany = bind(sendsApprove, async (context, { sends, undoable }) => {
  const asked = new Map(sends.map(({ id, fingerprint }) => [id, fingerprint]));
  if (asked.size < sends.length)
    throw invalid('sends: list each letter only once', { sends: 'name each letter once' });
  const ids = [...asked.keys()];
  const readdressed = await lockReaddressed(context.db, ids);
  const rows = await lockSends(context.db, context.caller, 'outreach.send.approve', ids);
  const ready: { row: LoadedSend; done: Act }[] = [];
  const faults: { id: string; refusal: Refusal }[] = [];
  for (const [id, row] of rows) {
    if (row instanceof Refusal) {
      faults.push({ id, refusal: row });
      continue;
    }
    const done = approvalBy(context, row, { fingerprint: asked.get(id) ?? '', undoable });
    const after = ruleSend(row, done, context.now);
    if (after instanceof Refusal) faults.push({ id, refusal: after });
    else ready.push({ row, done });
  }
  if (faults.length > 0) throw noneApproved(faults, ids.length);
  const saved: SendRow[] = [];
  for (const { row, done } of ready) {
    const fact = { kind: 'approved', details: { fingerprint: row.fingerprint } };
    saved.push(await act(context.db, row, done, fact, handOf(context)));
  }
  await addressApproved(context.db, context.caller, readdressed, context.now);
  for (const row of saved) told(context, row);
  context.tell(LETTERS_DUE, '');
  return {
    sends: saved.map(({ id, state, fingerprint, scheduled_for, revision }) => ({
      id,
      state,
      fingerprint,
      scheduled_for: scheduled_for?.toISOString() ?? null,
      revision,
    })),
  };
});

/** All or nothing: a list that was read is approved as it was read, or someone reads it again. */
function noneApproved(faults: readonly { id: string; refusal: Refusal }[], all: number): Refusal {
  const sends = faults.map(({ id, refusal }) => ({
    id,
    code: refusal.code,
    sentence: refusal.sentence,
    ...refusal.details,
  }));
  const denied = faults.find(({ refusal }) => refusal.code === 'policy_denied');
  if (denied) return new Refusal(403, 'policy_denied', denied.refusal.sentence, { sends });
  return conflict(
    `no letter was approved, because ${faults.length} of ${all} can’t be approved: details.sends gives the reasons; read those letters again`,
    { sends },
  );
}

/** Each of them for itself: one that has started by now keeps no other from being undone. */
const unapproveMany = bind(sendsUnapprove, async (context, { sends }) => {
  const rows = await lockSends(context.db, context.caller, 'outreach.send.approve', [...new Set(sends)]);
  const undone: SendRow[] = [];
  const refused: { id: string; code: string; sentence: string }[] = [];
  for (const [id, row] of rows) {
    const ruled = row instanceof Refusal ? row : ruleSend(row, { kind: 'unapprove' }, context.now);
    if (row instanceof Refusal || ruled instanceof Refusal) {
      const { code, sentence } = ruled instanceof Refusal ? ruled : noSend();
      refused.push({ id, code, sentence });
      continue;
    }
    const fact = { kind: 'unapproved', details: {} };
    undone.push(await act(context.db, row, { kind: 'unapprove' }, fact, handOf(context)));
  }
  for (const row of undone) told(context, row);
  return { undone: undone.map(({ id, state, revision }) => ({ id, state, revision })), refused };
});

const giveBack = bind(sendReturn, (context, { send, note }) =>
  move(context, sendReturn, send, { kind: 'return', note }, { kind: 'returned', details: { note } }),
);

/** A letter that never goes: its person goes on from its step once someone lets them. */
async function callOff(
  context: WriteContext,
  why: 'rejected' | 'cancelled',
  send: string,
  doing: () => ReturnType<typeof move>,
) {
  await lockProspectsOfLetters(context.db, [send]);
  const done = await doing();
  const { prospect_id, step_id } = done.send;
  if (prospect_id === null) return done;
  await letterOver(context.db, { prospect_id, step_id, why }, context.caller.principal, context.now);
  context.tell('prospects', prospect_id);
  return done;
}

const reject = bind(sendReject, (context, { send, note = null }) =>
  callOff(context, 'rejected', send, () =>
    move(context, sendReject, send, { kind: 'reject', note }, { kind: 'rejected', details: { note } }),
  ),
);

const cancel = bind(sendCancel, (context, { send, note = null }) =>
  callOff(context, 'cancelled', send, () =>
    move(
      context,
      sendCancel,
      send,
      { kind: 'cancel', reason: 'cancelled_by_hand', note },
      { kind: 'cancelled', details: { note } },
    ),
  ),
);

const keepBack = bind(sendHold, (context, { send, note = null }) =>
  move(
    context,
    sendHold,
    send,
    // No one looks at it again by themselves: whoever let it go asks its gates.
    { kind: 'hold', reason: 'letter_on_hold', evidence: { note }, recheck_at: null },
    { kind: 'held', details: { reason: 'letter_on_hold', note } },
  ),
);

const recheck = bind(sendRecheck, async (context, { send }) => {
  const { db, caller, now, app } = context;
  const row = await lockSend(db, caller, 'outreach.send.recheck', send);
  if (row.state !== 'held')
    throw conflict('only a held letter can be rechecked: this one is not held', { state: row.state });
  const facts = (await factsOf(db, [row.id], now, app)).get(row.id);
  if (!facts) throw new Error('a locked letter is gone');
  const letGo = { ...facts, letter: { ...facts.letter, on_hold: null } };
  return shown(context, await lookAgain(db, row, letGo, handOf(context)));
});

export const moveHandlers: Bound[] = [
  approve,
  approveMany,
  unapproveMany,
  giveBack,
  reject,
  cancel,
  keepBack,
  recheck,
];
