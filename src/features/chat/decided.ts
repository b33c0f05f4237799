// What a decision on a proposed act comes to. An approval performs the act as whoever decides, with all of their own rights
// and gates, before the decision is kept: what they may not do is not approved. An act that was begun and whose end nobody
// knows is not performed again.
import { couldAllow } from '../../kernel/policy.ts';
import { freshRequest, invoke } from '../../kernel/invoke.ts';
import { needsAction } from '../../kernel/operation.ts';
import { conflict, Refusal, stop } from '../../kernel/refusal.ts';
import type { Subject } from '../approvals/subject.ts';
import { actionById, lockAction, moveAction, shownActions } from './action.store.ts';
import { CHAT } from './run.ts';
import { titlesFor } from './things.ts';

const OUTCOME_MAX_CHARS = 4_000;

const unknownEnd = (operation: string) =>
  conflict(
    `${operation} was begun once, and whether it was done is not known: look for yourself, and reject this so that nobody does it twice`,
  );

export const chatAction: Subject = {
  kind: 'chat_action',
  async holdStill(tx, id) {
    await lockAction(tx, id);
  },
  /** Whoever could not do it themselves has no business with it, and may not read its arguments. */
  sees({ house, caller }, approval) {
    const bound = house.bound.get(approval.subject.key);
    const action = bound && needsAction(bound.operation);
    return action !== undefined && action !== null && couldAllow(caller.rights, action);
  },
  async acts({ db, house, caller }, ids) {
    const rows = await shownActions(db, ids);
    return new Map(
      rows.map(({ id, operation, shown, things }) => [
        id,
        {
          operation,
          says: house.bound.get(operation)?.operation.says ?? '',
          arguments: shown,
          things: titlesFor(caller.rights, things),
        },
      ]),
    );
  },
  async before({ house, caller, db, request }, approval) {
    const { id, key } = approval.subject;
    const action = await actionById(db, house.sealer, id);
    const bound = house.bound.get(key);
    if (!action || !bound) throw conflict(`${key} is no operation of this instance any more: reject it`);
    // It was done, and only the decision was not kept.
    if (action.state === 'done') return null;
    const { ground, clock } = house;
    const { answers } = bound.operation;
    const secret = 'json' in answers && answers.shows_secret;
    const begun = await ground.transact((tx) => moveAction(tx, id, 'waiting', 'performing'));
    if (!begun) throw unknownEnd(key);
    try {
      const facts = freshRequest({ address: request.address, user_agent: request.user_agent });
      const { answer } = await invoke(house, bound.operation, caller, () => action.arguments, facts);
      const outcome = secret ? null : JSON.stringify(answer).slice(0, OUTCOME_MAX_CHARS).toWellFormed();
      await ground.transact((tx) =>
        moveAction(tx, id, 'performing', 'done', { outcome, settled_at: clock.now() }),
      );
      return answer as Record<string, unknown>;
    } catch (error) {
      // A refusal leaves nothing; of anything else nobody knows what it left.
      if (error instanceof Refusal)
        await ground.transact((tx) => moveAction(tx, id, 'performing', 'waiting'));
      throw error;
    }
  },
  async settle({ db, now, tell, house }, approval, decision) {
    const { id, key } = approval.subject;
    const state = await lockAction(db, id);
    if (decision === 'approve') stop(state === 'done' ? null : unknownEnd(key));
    else if (state === 'waiting') await moveAction(db, id, 'waiting', 'dropped', { settled_at: now });
    else if (state === 'performing') await moveAction(db, id, 'performing', 'dropped', { settled_at: now });
    else
      throw conflict(`${key} is done already, so it cannot be rejected: approve it, which does nothing more`);
    const action = await actionById(db, house.sealer, id);
    if (action) tell(CHAT, action.thread_id);
  },
};
