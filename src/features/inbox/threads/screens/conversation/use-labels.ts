// Labels in use, most used first, for filters and menus.
import { useRead } from '../../../../../ui/client/hooks.ts';

export function useLabels(enabled = true): string[] {
  const { data } = useRead('inbox_labels', {}, { enabled, stale_ms: 60_000 });
  return (data?.items ?? []).map(({ label }) => label);
}
