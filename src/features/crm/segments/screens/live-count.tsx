// How many people fit the conditions as they are in the editor, before anything is saved; silent while they do not hold.
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call } from '../../../../ui/client/call.ts';
import { many } from '../../../../ui/kit/numbers.ts';
import type { SegmentFilter } from '../contract.ts';
import classes from './segments.module.css';

const PAUSE_MS = 300;

export function LiveCount({ filter }: { filter: SegmentFilter }) {
  // Compared by what it says: the editor makes a new one at every key.
  const [asked] = useDebouncedValue(JSON.stringify(filter), PAUSE_MS);
  const { data, error, isFetching } = useQuery({
    queryKey: ['segments', 'segment_count', asked],
    queryFn: () => call('segment_count', { filter: JSON.parse(asked) as SegmentFilter }),
    placeholderData: keepPreviousData,
    retry: false,
  });
  return (
    <p className={classes.live} role="status" aria-busy={isFetching}>
      {error || !data
        ? 'Complete every condition to count the matches.'
        : `${many(data.count, 'person matches', 'people match')}.`}
    </p>
  );
}
