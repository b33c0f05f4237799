// Carries out a decision on a proposed act. Approving performs the act as the decider, with all of their permissions
// and gates, before the decision is saved: an act that they may not perform is not approved. An act that started and
// whose end is unknown is not performed again.
import type { Caller } from '../../../../kernel/caller.ts';
import type { Reader, Transaction } from '../../../../kernel/database.ts';
import { couldAllow } from '../../../../kernel/policy.ts';
import { freshRequest, invoke } from '../../../../kernel/invoke.ts';
import { needsAction } from '../../../../kernel/operation.ts';
import { conflict, Refusal, stop } from '../../../../kernel/refusal.ts';
import { seenOf } from '../../../../kernel/seen.ts';
import type { Bound } from '../../../../kernel/context.ts';
import type { Subject } from '../../../work/approvals/subject.ts';
import { actionById, lockAction, moveAction, shownActions } from './action.store.ts';
import { type Mark, refusedAsChanged } from '../bound/bound.rules.ts';
import { marksAgain, type PeopleOf } from '../bound/bound.store.ts';
import { lettersOf } from './letters.ts';
import { CHAT } from '../turn/run.ts';
import { titlesFor } from './things.ts';

const OUTCOME_MAX_CHARS = 4_000;

const unknownEnd = (operation: string) =>
  conflict(
    `${operation} was started once and may or may not have finished: check the result, then reject this so that it isn’t done twice`,
  );

/** For whoever looks, before they decide. */
async function changedSince(
  db: Reader,
  caller: Caller,
  bound: Mark[] | null,
  now: Date,
): Promise<string | null> {
  try {
    return refusedAsChanged(bound, await marksAgain(db, caller, bound ?? [], false, now))?.sentence ?? null;
  } catch (error) {
    if (error instanceof Refusal) return error.sentence;
    throw error;
  }
}

export const chatAction: Subject = {
  kind: 'chat_action',
  async holdStill(tx, id) {
    await lockAction(tx, id);
  },
  /** Whoever could not do it themselves has no business with it, and may not read its arguments. */
  keys({ app, caller }) {
    const may = ({ operation }: Bound): boolean => {
      const action = needsAction(operation);
      return action !== null && couldAllow(caller.rights, action);
    };
    return [...app.bound.values()].filter(may).map(({ operation }) => operation.name);
  },
  async acts({ db, app, caller }, ids, whole) {
    const acts: Awaited<ReturnType<NonNullable<Subject['acts']>>> = new Map();
    for (const { id, operation, shown, things, bound, state } of await shownActions(db, ids)) {
      const act = {
        operation,
        says: app.bound.get(operation)?.operation.says ?? '',
        arguments: shown,
        things: titlesFor(caller.rights, things),
      };
      const letters = whole ? await lettersOf({ app, db, caller }, operation, shown) : null;
      const changed =
        whole && state === 'waiting' ? await changedSince(db, caller, bound, app.clock.now()) : null;
      const seen = whole ? seenOf(id, act, letters, changed) : null;
      acts.set(id, { ...act, letters, changed, seen });
    }
    return acts;
  },
  async before({ app, caller, db, request }, approval) {
    const { id, key } = approval.subject;
    const action = await actionById(db, app.sealer, id);
    const bound = app.bound.get(key);
    if (!action || !bound) throw conflict(`${key} no longer exists on this instance: reject this proposal`);
    // It was done, and only the decision was not kept.
    if (action.state === 'done') return null;
    const { database, clock } = app;
    const people_of: PeopleOf = new Map();
    const demandSame = async (on: Reader | Transaction, hold: boolean): Promise<void> => {
      const marks = await marksAgain(on, caller, action.bound ?? [], hold, clock.now(), people_of);
      stop(refusedAsChanged(action.bound, marks));
    };
    await demandSame(db, false);
    const { answers } = bound.operation;
    const secret = 'json' in answers && answers.shows_secret;
    const begun = await database.transact((tx) => moveAction(tx, id, 'waiting', 'performing'));
    if (!begun) throw unknownEnd(key);
    try {
      const facts = freshRequest({
        address: request.address,
        user_agent: request.user_agent,
        // Once more where nothing it names can change any more.
        first: (tx) => demandSame(tx, true),
        people_of,
      });
      const { answer } = await invoke(app, bound.operation, caller, () => action.arguments, facts);
      const outcome = secret ? null : JSON.stringify(answer).slice(0, OUTCOME_MAX_CHARS).toWellFormed();
      await database.transact((tx) =>
        moveAction(tx, id, 'performing', 'done', { outcome, settled_at: clock.now() }),
      );
      return answer as Record<string, unknown>;
    } catch (error) {
      // A refusal leaves nothing; of anything else no one knows what it left.
      if (error instanceof Refusal)
        await database.transact((tx) => moveAction(tx, id, 'performing', 'waiting'));
      throw error;
    }
  },
  async settle({ db, now, tell, app }, approval, decision) {
    const { id, key } = approval.subject;
    const state = await lockAction(db, id);
    if (decision === 'approve') stop(state === 'done' ? null : unknownEnd(key));
    else if (state === 'waiting') await moveAction(db, id, 'waiting', 'dropped', { settled_at: now });
    else if (state === 'performing') await moveAction(db, id, 'performing', 'dropped', { settled_at: now });
    else
      throw conflict(
        `${key} is already done, so it can’t be rejected: approve it instead, which does nothing more`,
      );
    const action = await actionById(db, app.sealer, id);
    if (action) tell(CHAT, action.thread_id);
  },
};
