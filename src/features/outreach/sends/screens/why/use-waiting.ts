// The letters of a campaign, an identity or a domain that have not gone, grouped by what stops them. A domain's are those of
// its identities.
import { useQueries } from '@tanstack/react-query';
import { ApiError, call } from '../../../../../ui/client/call.ts';
import { keyOf, useRead } from '../../../../../ui/client/hooks.ts';
import { groupsOf, WAITING, type Group } from './waiting.rules.ts';
import type { Scope } from './why-drawer.tsx';

/** Read of each state; beyond it a number would be exact and the cause would be the same. */
const READ = 200;
/** More senders than this on one domain are looked into one by one. */
const SENDERS = 12;

type Waiting = {
  groups: Group[];
  pending: boolean;
  error: ApiError | null;
  again: () => void;
  /** Identities of the domain that were not looked into. */
  left: number;
};

export function useWaiting(of: Scope): Waiting {
  const domain = 'domain' in of ? of.domain : null;
  const senders = useRead(
    'identity_list',
    { domain: domain ?? '', limit: 200 },
    { enabled: domain !== null, stale_ms: 60_000 },
  );
  const of_domain = senders.data?.items ?? [];
  const filters: ({ campaign: string } | { identity: string })[] =
    'domain' in of ? of_domain.slice(0, SENDERS).map(({ id }) => ({ identity: id })) : [of];
  const asked = filters.flatMap((filter) => WAITING.map((state) => ({ ...filter, state, limit: READ })));
  const reads = useQueries({
    queries: asked.map((args) => ({
      queryKey: keyOf('send_list', args),
      queryFn: ({ signal }: { signal: AbortSignal }) => call('send_list', args, signal),
    })),
  });
  const letters = reads.flatMap(({ data }) => data?.items ?? []);
  const more = new Set(asked.filter((_, at) => reads[at]?.data?.next_cursor).map(({ state }) => state));
  const failed = [senders, ...reads].find(({ error }) => error instanceof ApiError)?.error;
  return {
    groups: groupsOf(letters, more),
    pending: (domain !== null && senders.isPending) || reads.some(({ isPending }) => isPending),
    error: failed instanceof ApiError ? failed : null,
    again: () => {
      for (const each of [senders, ...reads]) if (each.error) void each.refetch();
    },
    left: Math.max(0, of_domain.length - SENDERS),
  };
}
