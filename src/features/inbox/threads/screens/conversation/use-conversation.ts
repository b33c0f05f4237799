// One conversation, loaded page by page from the newest.
import { useInfiniteQuery } from '@tanstack/react-query';
import { ApiError, call, type Answer } from '../../../../../ui/client/call.ts';
import { keyOf } from '../../../../../ui/client/hooks.ts';
import type { Touch } from '../../touches.contract.ts';

const PAGE = 30;

export type Conversation = Omit<Answer<'thread_get'>, 'touches' | 'next_cursor'>;

export type ReadConversation = {
  whole: Conversation | null;
  /** Oldest first. */
  touches: Touch[];
  error: ApiError | null;
  again: () => void;
  /** Reads what was said before; null at the beginning. */
  earlier: (() => void) | null;
  fetching: boolean;
};

export function useConversation(thread: string): ReadConversation {
  const query = useInfiniteQuery({
    queryKey: [...keyOf('thread_get', { thread }), 'pages'],
    queryFn: ({ pageParam, signal }) =>
      call('thread_get', { thread, limit: PAGE, ...(pageParam ? { cursor: pageParam } : {}) }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  });
  const pages = query.data?.pages ?? [];
  return {
    whole: pages[0] ?? null,
    touches: pages.toReversed().flatMap((page) => page.touches),
    error: query.error instanceof ApiError ? query.error : null,
    again: () => void query.refetch(),
    earlier: query.hasNextPage ? () => void (query.isFetchingNextPage || query.fetchNextPage()) : null,
    fetching: query.isFetchingNextPage,
  };
}
