// Handlers that move a letter from state to state. The rules stand in send.rules.ts; what a gate says is asked of the facts.
import { conflict, invalid, Refusal } from '../../../kernel/refusal.ts';
import { bind, type Bound, type WriteScene } from '../../../kernel/scene.ts';
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
} from './moves.contract.ts';
import { addressApproved, lockReaddressed } from '../prospects/enrol/address.store.ts';
import { letterOver, lockProspectsOfLetters } from '../prospects/stepping/over.store.ts';
import { type SendRow, toSend } from './letter/row.ts';
import { act, type Fact } from './letter/save.store.ts';
import { lockSend, lockSends, type LoadedSend } from './letter/send.store.ts';
import { type Act, ruleSend } from './letter/send.rules.ts';
import { lookAgain } from './gates/stops.ts';

async function move(
  scene: WriteScene,
  operation: AnyOperation,
  send: string,
  done: Act,
  fact: Fact,
): Promise<{ send: ReturnType<typeof toSend> }> {
  const action = 'action' in operation.needs ? operation.needs.action : '';
  const row = await lockSend(scene.db, scene.caller, action, send);
  return shown(scene, await act(scene.db, row, done, fact, handOf(scene)));
}

/** The answer of an act on one letter, and who is told. */
export function shown(scene: WriteScene, row: SendRow): { send: ReturnType<typeof toSend> } {
  scene.about(`outreach:send/${row.id}`);
  told(scene, row);
  if (row.state === 'scheduled') scene.tell(LETTERS_DUE, '');
  return { send: toSend(row, scene.caller) };
}

const approvalBy = ({ caller }: WriteScene, fingerprint: string): Act => ({
  kind: 'approve',
  by: caller.principal,
  token: caller.credential.kind === 'token' ? caller.credential.id : null,
  fingerprint,
});

const approve = bind(sendApprove, async (scene, { send, fingerprint }) => {
  const readdressed = await lockReaddressed(scene.db, [send]);
  const done = await move(scene, sendApprove, send, approvalBy(scene, fingerprint), {
    kind: 'approved',
    details: { fingerprint },
  });
  await addressApproved(scene.db, scene.caller, readdressed, scene.now);
  return done;
});

const approveMany = bind(sendsApprove, async (scene, { sends }) => {
  const asked = new Map(sends.map(({ id, fingerprint }) => [id, fingerprint]));
  if (asked.size < sends.length)
    throw invalid('sends: name each letter once', { sends: 'name each letter once' });
  const ids = [...asked.keys()];
  const readdressed = await lockReaddressed(scene.db, ids);
  const rows = await lockSends(scene.db, scene.caller, 'outreach.send.approve', ids);
  const ready: { row: LoadedSend; done: Act }[] = [];
  const faults: { id: string; refusal: Refusal }[] = [];
  for (const [id, row] of rows) {
    const done = approvalBy(scene, asked.get(id) ?? '');
    const after = row instanceof Refusal ? row : ruleSend(row, done, scene.now);
    if (after instanceof Refusal) faults.push({ id, refusal: after });
    else if (!(row instanceof Refusal)) ready.push({ row, done });
  }
  if (faults.length > 0) throw noneApproved(faults, ids.length);
  const saved: SendRow[] = [];
  for (const { row, done } of ready) {
    const fact = { kind: 'approved', details: { fingerprint: row.fingerprint } };
    saved.push(await act(scene.db, row, done, fact, handOf(scene)));
  }
  await addressApproved(scene.db, scene.caller, readdressed, scene.now);
  for (const row of saved) told(scene, row);
  scene.tell(LETTERS_DUE, '');
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

/** All or nothing: a list that was read is approved as it was read, or somebody reads it again. */
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
    `none was approved, because ${faults.length} of ${all} cannot be: details.sends says why for each; read those again`,
    { sends },
  );
}

const giveBack = bind(sendReturn, (scene, { send, note }) =>
  move(scene, sendReturn, send, { kind: 'return', note }, { kind: 'returned', details: { note } }),
);

/** A letter that never goes: its person goes on from its step once somebody lets them. */
async function callOff(
  scene: WriteScene,
  why: 'rejected' | 'cancelled',
  send: string,
  doing: () => ReturnType<typeof move>,
) {
  await lockProspectsOfLetters(scene.db, [send]);
  const done = await doing();
  const { prospect_id, step_id } = done.send;
  if (prospect_id === null) return done;
  await letterOver(scene.db, { prospect_id, step_id, why }, scene.caller.principal, scene.now);
  scene.tell('prospects', prospect_id);
  return done;
}

const reject = bind(sendReject, (scene, { send, note = null }) =>
  callOff(scene, 'rejected', send, () =>
    move(scene, sendReject, send, { kind: 'reject', note }, { kind: 'rejected', details: { note } }),
  ),
);

const cancel = bind(sendCancel, (scene, { send, note = null }) =>
  callOff(scene, 'cancelled', send, () =>
    move(
      scene,
      sendCancel,
      send,
      { kind: 'cancel', reason: 'cancelled_by_hand', note },
      { kind: 'cancelled', details: { note } },
    ),
  ),
);

const keepBack = bind(sendHold, (scene, { send, note = null }) =>
  move(
    scene,
    sendHold,
    send,
    // Nobody looks at it again by themselves: whoever let it go asks its gates.
    { kind: 'hold', reason: 'letter_on_hold', evidence: { note }, recheck_at: null },
    { kind: 'held', details: { reason: 'letter_on_hold', note } },
  ),
);

const recheck = bind(sendRecheck, async (scene, { send }) => {
  const { db, caller, now, house } = scene;
  const row = await lockSend(db, caller, 'outreach.send.recheck', send);
  if (row.state !== 'held')
    throw conflict('only a held letter is asked again: this one is not held', { state: row.state });
  const facts = (await factsOf(db, [row.id], now, house)).get(row.id);
  if (!facts) throw new Error('a locked letter is gone');
  const letGo = { ...facts, letter: { ...facts.letter, on_hold: null } };
  return shown(scene, await lookAgain(db, row, letGo, handOf(scene)));
});

export const moveHandlers: Bound[] = [approve, approveMany, giveBack, reject, cancel, keepBack, recheck];
