// What a run of the pass learns of outgoing connections, before it is written down: a server that is down, or that refused a password,
// is not called by letters that were claimed a moment earlier.
import type { IdentityTrouble } from '../../identities/trouble/trouble.rules.ts';
import type { BackoffChange } from './outcome.ts';
import type { SendingIdentity } from './identity.store.ts';

export type Backoffs = {
  learn(identity: SendingIdentity, changes: BackoffChange): void;
  /** The identity with the newer of what was written down and what was learned since. */
  withLearned(identity: SendingIdentity): SendingIdentity;
  /** The trouble that this run met. */
  troubleOf(identity: SendingIdentity): IdentityTrouble | null;
};

/** By then it is written down, and what others wrote since counts more. */
const NEWER_FOR_MS = 10_000;

export function openBackoffs(): Backoffs {
  const learned = new Map<string, { changes: BackoffChange; at: number }>();
  // Of this revision alone: whoever changed the identity meant it to be tried again.
  const key = ({ id, revision, domain }: SendingIdentity): string => `${id} ${revision} ${domain.revision}`;
  const changesOf = (identity: SendingIdentity): BackoffChange | null => {
    const found = learned.get(key(identity));
    if (found && performance.now() - found.at < NEWER_FOR_MS) return found.changes;
    learned.delete(key(identity));
    return null;
  };
  return {
    learn(identity, changes) {
      if (changes.kind !== 'asleep') learned.set(key(identity), { changes, at: performance.now() });
    },
    withLearned(identity) {
      const changes = changesOf(identity);
      const { backoff } = identity;
      if (changes?.kind === 'down' && changes.failures > backoff.failures)
        return {
          ...identity,
          backoff: { failures: changes.failures, breaks: changes.breaks, down_until: changes.until },
        };
      if (changes?.kind === 'broke') return { ...identity, backoff: { ...backoff, breaks: changes.breaks } };
      return changes?.kind === 'open'
        ? { ...identity, backoff: { failures: 0, breaks: 0, down_until: null } }
        : identity;
    },
    troubleOf(identity) {
      const changes = changesOf(identity);
      return changes?.kind === 'refused' ? changes.trouble : null;
    },
  };
}
