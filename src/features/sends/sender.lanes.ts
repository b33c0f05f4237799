// What a run of the pass learns of the ways out, before it is written down: a server that is down, or that refused a password,
// is not called by letters that were claimed a moment earlier.
import type { IdentityTrouble } from '../identities/trouble.rules.ts';
import type { LaneNews } from './sender.outcome.ts';
import type { SendingIdentity } from './sender.identity.store.ts';

export type Lanes = {
  learn(identity: SendingIdentity, news: LaneNews): void;
  /** The identity with the newer of what was written down and what was learned since. */
  withLearned(identity: SendingIdentity): SendingIdentity;
  /** The trouble that this run met. */
  troubleOf(identity: SendingIdentity): IdentityTrouble | null;
};

export function openLanes(): Lanes {
  const learned = new Map<string, LaneNews>();
  // Of this revision alone: whoever changed the identity meant it to be tried again.
  const key = ({ id, revision, domain }: SendingIdentity): string => `${id} ${revision} ${domain.revision}`;
  return {
    learn(identity, news) {
      if (news.kind !== 'asleep') learned.set(key(identity), news);
    },
    withLearned(identity) {
      const news = learned.get(key(identity));
      if (news?.kind === 'down') {
        const { failures, until } = news;
        return failures > identity.lane.failures
          ? { ...identity, lane: { failures, down_until: until } }
          : identity;
      }
      return news?.kind === 'open' ? { ...identity, lane: { failures: 0, down_until: null } } : identity;
    },
    troubleOf(identity) {
      const news = learned.get(key(identity));
      return news?.kind === 'refused' ? news.trouble : null;
    },
  };
}
