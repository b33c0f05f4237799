// The tabs of a campaign, what each is handed, and the guard of what was typed in one and not saved.
import { useBlocker } from '@tanstack/react-router';
import { confirm } from '../../../../ui/kit/confirm.ts';
import type { Campaign } from '../contract.ts';

export type TabName = 'overview' | 'steps' | 'people' | 'review' | 'held' | 'settings' | 'history';
export type TabProps = { campaign: Campaign; go: (tab: TabName) => void };

const tabOf = (search: object): unknown => ('view' in search ? search.view : undefined);

/** Asks before another tab or another place takes what is not saved. */
export function useTabGuard(unsaved: boolean): void {
  useBlocker({
    disabled: !unsaved,
    enableBeforeUnload: unsaved,
    shouldBlockFn: async ({ current, next }) => {
      if (current.pathname === next.pathname && tabOf(current.search) === tabOf(next.search)) return false;
      const says = 'Your unsaved changes will be lost.';
      return !(await confirm({ title: 'Leave without saving?', says, act: 'Leave', tone: 'bad' }));
    },
  });
}
