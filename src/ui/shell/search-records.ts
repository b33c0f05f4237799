// Records among what ⌘K finds: asked of the product, all kinds in one request, once the typing pauses.
import { useDebouncedValue } from '@mantine/hooks';
import type { Answer } from '../client/call.ts';
import { useRead } from '../client/hooks.ts';

export type FoundRecord = Answer<'search_find'>['items'][number];

/** One letter finds too much to be worth asking. */
const LEAST = 2;
const PAUSE_MS = 150;
const SHOWN = 6;
const NONE: FoundRecord[] = [];

/** `settling`: what is typed has not been answered yet. */
export function useFoundRecords(typed: string): { records: FoundRecord[]; settling: boolean } {
  const query = typed.trim().slice(0, 200);
  const [asked] = useDebouncedValue(query, PAUSE_MS);
  const wanted = query.length >= LEAST;
  const { data, isFetching } = useRead(
    'search_find',
    { query: asked, limit: SHOWN },
    { enabled: wanted && asked.length >= LEAST, keep: true },
  );
  return {
    records: wanted ? (data?.items ?? NONE) : NONE,
    settling: wanted && (asked !== query || isFetching),
  };
}
