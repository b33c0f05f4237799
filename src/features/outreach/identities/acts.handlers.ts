// Handlers of what is done to an identity: tested, set active, set inactive, deleted.
import { stop } from '../../../kernel/refusal.ts';
import { bind, type Bound, bindAsking } from '../../../kernel/scene.ts';
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
    async ({ db, caller, house, request }, { identity: which }) => {
      const identity = await loadIdentity(db, caller, 'outreach.identity.test', which);
      stop(refusedAsGone(identity) ?? refusedAsUnconfirmed(identity));
      return { ...(await tryIdentity(db, house, which, request.signal)), revision: identity.revision };
    },
    async (scene, { identity: which }, { outcome, rungs, revision }) => {
      const { db, caller, now } = scene;
      await lockLetters(db, which);
      const identity = await lockIdentity(db, caller, 'outreach.identity.test', which);
      // What was tried is no longer what stands: the answer is shown, and nothing is kept of it.
      if (identity.revision === revision) {
        const ends_trouble = mayEndTrouble(caller, which);
        await saveTest(db, identity, outcome, { ends_trouble, now });
        if (outcome === 'passing' && ends_trouble) await letters.wake(db, { identity_id: which }, now);
      }
      scene.tell(letters.due, '');
      return { ...(await tell(scene, which)), rungs };
    },
  );

const probe = bindAsking(
  identityProbe,
  async ({ db, caller, house, request }, { identity: which }) => {
    const identity = await loadIdentity(db, caller, 'outreach.identity.test', which);
    stop(refusedAsGone(identity) ?? refusedAsUnconfirmed(identity) ?? refusedToProbe(standingOf(identity)));
    return sendProbe(db, house, which, request.signal);
  },
  async (scene, { identity: which }, { id, revision, refused }) => {
    const { db, caller, now } = scene;
    const identity = await lockIdentity(db, caller, 'outreach.identity.test', which);
    await saveProbe(db, { id: identity.id, revision }, { id, refused }, now);
    return tell(scene, which);
  },
);

const READ = '/api/admin/outreach/identities/:identity';

const activate = (letters: LettersOfSenders): Bound =>
  bind(identityActivate, async (scene, { identity: which, seen }) => {
    const { db, caller, now } = scene;
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
    scene.tell(letters.due, '');
    return tell(scene, which);
  });

const deactivate = bind(identityDeactivate, async (scene, { identity: which }) => {
  const { db, caller, now } = scene;
  const identity = await lockIdentity(db, caller, 'outreach.identity.deactivate', which);
  stop(refusedAsGone(identity));
  if (identity.active) await saveActive(db, identity, { active: false, state_reason: 'person' }, now);
  return tell(scene, which);
});

const remove = bind(identityDelete, async (scene, { identity: which }) => {
  const { db, caller, now } = scene;
  const identity = await lockIdentity(db, caller, 'outreach.identity.delete', which);
  if (identity.gone_at === null) await endIdentity(db, identity, now);
  return tell(scene, which);
});

export const identityActs = (letters: LettersOfSenders): Bound[] => [
  test(letters),
  probe,
  activate(letters),
  deactivate,
  remove,
];
