// What a run of the pass learns of the ways out, before it is written down: a server that is down, or that refused a password,
// is not called by letters that were claimed a moment earlier.
import type { IdentityTrouble } from '../../identities/trouble/trouble.rules.ts';
import type { LaneNews } from './outcome.ts';
import type { SendingIdentity } from './identity.store.ts';

export type Lanes = {
  learn(identity: SendingIdentity, news: LaneNews): void;
  /** The identity with the newer of what was written down and what was learned since. */
  withLearned(identity: SendingIdentity): SendingIdentity;
  /** The trouble that this run met. */
  troubleOf(identity: SendingIdentity): IdentityTrouble | null;
};

/** By then it is written down, and what others wrote since counts more. */
const NEWER_FOR_MS = 10_000;

export function openLanes(): Lanes {
  const learned = new Map<string, { news: LaneNews; at: number }>();
  // Of this revision alone: whoever changed the identity meant it to be tried again.
  const key = ({ id, revision, domain }: SendingIdentity): string => `${id} ${revision} ${domain.revision}`;
  const newsOf = (identity: SendingIdentity): LaneNews | null => {
    const found = learned.get(key(identity));
    if (found && performance.now() - found.at < NEWER_FOR_MS) return found.news;
    learned.delete(key(identity));
    return null;
  };
  return {
    learn(identity, news) {
      if (news.kind !== 'asleep') learned.set(key(identity), { news, at: performance.now() });
    },
    withLearned(identity) {
      const news = newsOf(identity);
      const { lane } = identity;
      if (news?.kind === 'down' && news.failures > lane.failures)
        return {
          ...identity,
          lane: { failures: news.failures, breaks: news.breaks, down_until: news.until },
        };
      if (news?.kind === 'broke') return { ...identity, lane: { ...lane, breaks: news.breaks } };
      return news?.kind === 'open'
        ? { ...identity, lane: { failures: 0, breaks: 0, down_until: null } }
        : identity;
    },
    troubleOf(identity) {
      const news = newsOf(identity);
      return news?.kind === 'refused' ? news.trouble : null;
    },
  };
}
