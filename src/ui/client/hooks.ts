// How screens read and act: `useRead` for one answer, `usePages` for a list that grows by key, `useAct` for an act that may
// need a step-up, tells its topic, and says what came of it.
import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useMemo } from 'react';
import { ApiError, call, type ActName, type Answer, type ReadName, type Takes } from './call.ts';
import { steppedUp } from './step-up.ts';
import { queries, staleAfter, topicOf, type Topic } from './topics.ts';
import { tell, tellRefusal } from './toast.ts';

export const keyOf = <N extends ReadName>(name: N, args: Takes<N>): [Topic, N, Takes<N>] => [
  topicOf(name),
  name,
  args,
];

type ReadOptions = {
  enabled?: boolean;
  /** Shows the former answer while another filter is being read. */
  keep?: boolean;
  stale_ms?: number;
  every_ms?: number;
};

export function useRead<N extends ReadName>(
  name: N,
  args: Takes<N>,
  options: ReadOptions = {},
): UseQueryResult<Answer<N>, ApiError> {
  const read = useQuery<Answer<N>, ApiError>({
    queryKey: keyOf(name, args),
    queryFn: ({ signal }) => call(name, args, signal),
    enabled: options.enabled ?? true,
    ...(options.keep ? { placeholderData: keepPreviousData } : {}),
    ...(options.stale_ms === undefined ? {} : { staleTime: options.stale_ms }),
    ...(options.every_ms === undefined ? {} : { refetchInterval: options.every_ms }),
  });
  // What was read stays on the screen, with what is being typed into it, while the product is away: the banner says that it may
  // be out of date, and it is read again by itself.
  return read.data !== undefined && read.error && passing(read.error)
    ? ({ ...read, error: null, isError: false } as unknown as typeof read)
    : read;
}

/** It says nothing of what was asked for: no answer came, not now, or not to someone who is signed out. */
const passing = ({ status }: ApiError): boolean =>
  status === 0 || status === 401 || status === 429 || status >= 500;

type Listed<N extends ReadName> =
  Answer<N> extends { items: (infer Row)[]; next_cursor: string | null } ? Row : never;
export type ListName = {
  [N in ReadName]: Answer<N> extends { items: unknown[]; next_cursor: string | null } ? N : never;
}[ReadName];

/** A list as far as it has been read. */
export type Pages<Row> = {
  rows: Row[];
  pending: boolean;
  /** Another page, or the same pages with another filter, is being read. */
  fetching: boolean;
  error: ApiError | null;
  again: () => void;
  /** Reads the next page; null at the end. */
  more: (() => void) | null;
};

export function usePages<N extends ListName>(
  name: N,
  args: Takes<N>,
  options: { enabled?: boolean; from?: string | undefined } = {},
): Pages<Listed<N>> {
  const query = useInfiniteQuery({
    queryKey: [...keyOf(name, args), 'pages', options.from ?? null],
    queryFn: ({ pageParam, signal }) =>
      call(
        name,
        { ...(args as object), ...(pageParam ? { cursor: pageParam } : {}) } as Takes<N>,
        signal,
      ) as Promise<{ items: Listed<N>[]; next_cursor: string | null }>,
    initialPageParam: options.from ?? '',
    getNextPageParam: (page) => page.next_cursor,
    enabled: options.enabled ?? true,
    placeholderData: keepPreviousData,
  });
  const { data, fetchNextPage, hasNextPage, isFetchingNextPage, refetch } = query;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.items) ?? [], [data]);
  return {
    rows,
    pending: query.isPending,
    fetching: query.isFetching,
    error: query.error instanceof ApiError && !(data && passing(query.error)) ? query.error : null,
    again: () => void refetch(),
    more: hasNextPage ? () => void (isFetchingNextPage || fetchNextPage()) : null,
  };
}

type ActOptions<N extends ActName> = {
  /** Said in a toast when it is done. */
  /** Null: the screen itself shows what came of it. */
  says?: string | ((answer: Answer<N>, args: Takes<N>) => string | null);
  /** The caller shows the refusal itself (a form under its fields); otherwise a toast does. */
  quiet?: boolean;
  onSuccess?: (answer: Answer<N>, args: Takes<N>) => void;
  onError?: (error: ApiError, args: Takes<N>) => void;
  /** Topics beside the act's own that it changes. */
  touches?: Topic[];
  /** Shows the outcome before it is known and returns what undoes it; only where the product could undo it too. */
  optimistic?: (args: Takes<N>) => () => void;
};

export function useAct<N extends ActName>(
  name: N,
  options: ActOptions<N> = {},
): UseMutationResult<Answer<N>, ApiError, Takes<N>, (() => void) | undefined> {
  return useMutation<Answer<N>, ApiError, Takes<N>, (() => void) | undefined>({
    mutationKey: [topicOf(name), name],
    mutationFn: (args) => steppedUp(() => call(name, args)),
    onMutate: (args) => options.optimistic?.(args),
    onSuccess: (answer, args) => {
      const { says } = options;
      const said = typeof says === 'function' ? says(answer, args) : says;
      if (said) tell(said);
      options.onSuccess?.(answer, args);
    },
    onError: (error, args, undo) => {
      undo?.();
      if (!options.quiet && error.code !== 'given_up') tellRefusal(error);
      options.onError?.(error, args);
    },
    onSettled: () => void staleAfter(name, options.touches),
  });
}

/** What is known of a query now, and a way to write it; for optimistic changes and for going from a list to its record. */
export const known = {
  get: <N extends ReadName>(name: N, args: Takes<N>): Answer<N> | undefined =>
    queries.getQueryData<Answer<N>>(keyOf(name, args)),
  set: <N extends ReadName>(name: N, args: Takes<N>, answer: Answer<N>): void =>
    void queries.setQueryData(keyOf(name, args), answer),
  hold: <N extends ReadName>(name: N, args: Takes<N>): Promise<void> =>
    queries.cancelQueries({ queryKey: keyOf(name, args) }),
};
