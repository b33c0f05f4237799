// Handlers of what is done to an identity: tested, set active, set inactive, deleted.
import { stop } from '../../../kernel/refusal.ts';
import { bind, type Bound, bindAsking } from '../../../kernel/context.ts';
import { refusedAsUnseen } from '../../../kernel/seen.ts';
import {
  identityActivate,
  identityDeactivate,
  identityDelete,
  identityProbe,
  identityTest,
} from './acts.contract.ts';
import { tell } from './handlers.ts';
import type { LettersOfSenders } from './letters.ts';
import { standingOf } from './row.ts';
import { sendProbe } from './probe/probe.ts';
import { refusedToProbe } from './probe/probe.rules.ts';
import { saveProbe } from './probe/probe.store.ts';
import {
  mayConfirm,
  mayEndTrouble,
  refusedAsGone,
  refusedAsUnconfirmed,
  refusedToActivate,
} from './rules.ts';
import { confirmConnections, endIdentity, saveActive, saveTest } from './save.store.ts';
import { seenOfIdentity } from './seen.ts';
import { loadIdentity, lockIdentity, lockLetters } from './store.ts';
import { tryIdentity } from './ways/try.ts';

const test = (letters: LettersOfSenders): Bound =>
  bindAsking(
    identityTest,
    async ({ db, caller, app, request }, { identity: which }) => {
      const identity = await loadIdentity(db, caller, 'outreach.identity.test', which);
      stop(refusedAsGone(identity) ?? refusedAsUnconfirmed(identity));
      return { ...(await tryIdentity(db, app, which, request.signal)), revision: identity.revision };
    },
    async (context, { identity: which }, { outcome, rungs, revision }) => {
      const { db, caller, now } = context;
      await lockLetters(db, which);
      const identity = await lockIdentity(db, caller, 'outreach.identity.test', which);
      // What was tried is no longer what exists: the answer is shown, and nothing is kept of it.
      if (identity.revision === revision) {
        const ends_trouble = mayEndTrouble(caller, which);
        await saveTest(db, identity, outcome, { ends_trouble, now });
        if (outcome === 'passing' && ends_trouble) await letters.wake(db, { identity_id: which }, now);
      }
      context.tell(letters.due, '');
      return { ...(await tell(context, which)), rungs };
    },
    { cannot: 'This asks another server, which a rehearsal doesn’t do.' },
  );

const probe = bindAsking(
  identityProbe,
  async ({ db, caller, app, request }, { identity: which }) => {
    const identity = await loadIdentity(db, caller, 'outreach.identity.test', which);
    stop(refusedAsGone(identity) ?? refusedAsUnconfirmed(identity) ?? refusedToProbe(standingOf(identity)));
    return sendProbe(db, app, which, request.signal);
  },
  async (context, { identity: which }, { id, revision, refused }) => {
    const { db, caller, now } = context;
    const identity = await lockIdentity(db, caller, 'outreach.identity.test', which);
    await saveProbe(db, { id: identity.id, revision }, { id, refused }, now);
    return tell(context, which);
  },
  { cannot: 'This asks another server, which a rehearsal doesn’t do.' },
);

const READ = '/api/admin/outreach/identities/:identity';

const activate = (letters: LettersOfSenders): Bound =>
  bind(identityActivate, async (context, { identity: which, seen }) => {
    const { db, caller, now } = context;
    await lockLetters(db, which);
    const identity = await lockIdentity(db, caller, 'outreach.identity.activate', which);
    stop(
      refusedAsGone(identity) ??
        refusedToActivate(standingOf(identity)) ??
        (mayConfirm(caller) ? null : refusedAsUnconfirmed(identity)) ??
        refusedAsUnseen(seen, seenOfIdentity(identity), { noun: 'identity', read: READ }),
    );
    if (!identity.active || identity.trouble !== null) {
      if (refusedAsUnconfirmed(identity)) await confirmConnections(db, identity);
      await saveActive(db, identity, { active: true, state_reason: null }, now);
      await letters.wake(db, { identity_id: which }, now);
    }
    context.tell(letters.due, '');
    return tell(context, which);
  });

const deactivate = bind(identityDeactivate, async (context, { identity: which }) => {
  const { db, caller, now } = context;
  const identity = await lockIdentity(db, caller, 'outreach.identity.deactivate', which);
  stop(refusedAsGone(identity));
  if (identity.active) await saveActive(db, identity, { active: false, state_reason: 'person' }, now);
  return tell(context, which);
});

const remove = bind(identityDelete, async (context, { identity: which }) => {
  const { db, caller, now } = context;
  const identity = await lockIdentity(db, caller, 'outreach.identity.delete', which);
  if (identity.gone_at === null) await endIdentity(db, identity, now);
  return tell(context, which);
});

export const identityActs = (letters: LettersOfSenders): Bound[] => [
  test(letters),
  probe,
  activate(letters),
  deactivate,
  remove,
];
