// The tabs of a campaign, what each is handed, and the guard of what was typed in one and not saved.
import { useLeaveGuard } from '../../../../ui/kit/leave.ts';
import type { Campaign } from '../contract.ts';

export type TabName = 'overview' | 'steps' | 'people' | 'review' | 'held' | 'settings' | 'history';
export type TabProps = { campaign: Campaign; go: (tab: TabName) => void };

/** Asks before another tab or another place takes what is not saved. */
export const useTabGuard = (unsaved: boolean): void => useLeaveGuard(unsaved);
