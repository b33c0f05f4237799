// Models as select options, grouped by provider. A chosen model stays an option when its provider no longer lists it.
import { useRead } from '../../../../ui/client/hooks.ts';

type Group = { group: string; items: string[] };

const STALE_MS = 60_000;

export function useModelChoices(chosen: string | null): Group[] {
  const { data } = useRead('model_list', {}, { stale_ms: STALE_MS });
  const items = data?.items ?? [];
  const groups = [...Map.groupBy(items, (each) => each.provider_title)].map(([group, of]) => ({
    group,
    items: of.map(({ name }) => name),
  }));
  const missing = chosen !== null && !items.some(({ name }) => name === chosen);
  return missing ? [...groups, { group: 'No longer listed', items: [chosen] }] : groups;
}
