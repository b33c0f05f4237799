// Work items among what ⌘K finds: asked of the product by words or key once the typing pauses.
import { useDebouncedValue } from '@mantine/hooks';
import type { Answer } from '../client/call.ts';
import { useRead } from '../client/hooks.ts';

type FoundItem = Answer<'item_list'>['items'][number];

/** One letter finds too much to be worth asking. */
const LEAST = 2;
const PAUSE_MS = 150;
const SHOWN = 8;
const NONE: FoundItem[] = [];

/** `settling`: what is typed has not been answered yet. */
export function useFoundItems(typed: string): { items: FoundItem[]; settling: boolean } {
  const query = typed.trim().slice(0, 200);
  const [asked] = useDebouncedValue(query, PAUSE_MS);
  const wanted = query.length >= LEAST;
  const { data, isFetching } = useRead(
    'item_list',
    { query: asked, limit: SHOWN },
    { enabled: wanted && asked.length >= LEAST, keep: true },
  );
  return {
    items: wanted ? (data?.items ?? NONE) : NONE,
    settling: wanted && (asked !== query || isFetching),
  };
}
