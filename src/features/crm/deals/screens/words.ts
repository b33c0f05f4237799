// Words and small readings that the screens of deals share.
import { useRead } from '../../../../ui/client/hooks.ts';
import type { Tone } from '../../../../ui/kit/pills.tsx';
import type { DealState } from '../contract.ts';
import type { Stage } from '../pipeline.contract.ts';

export const STATE: Record<DealState, { title: string; tone: Tone }> = {
  open: { title: 'Open', tone: 'info' },
  won: { title: 'Won', tone: 'good' },
  lost: { title: 'Lost', tone: 'mute' },
};

const NO_STAGES: Stage[] = [];

export const useStages = (): Stage[] =>
  useRead('pipeline_get', {}, { stale_ms: 120_000 }).data?.stages ?? NO_STAGES;

/** A stage by its key, where its title is not known. */
export const stageTitle = (stages: readonly Stage[], key: string): string =>
  stages.find((stage) => stage.key === key)?.title ?? key;

/** People a deal can belong to. */
export function useOwners(): { id: string; name: string }[] {
  const workers = useRead('assignee_list', { limit: 200 }, { stale_ms: 120_000 }).data?.items ?? [];
  return workers.filter((who) => who.kind === 'person');
}
