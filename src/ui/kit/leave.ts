// What was typed and not saved is not lost by going elsewhere: leaving asks first, and so does closing the page.
import { useBlocker } from '@tanstack/react-router';
import { confirm } from './confirm.ts';

type Place = { pathname: string; search: object };

const opened = (at: Place): unknown => ('open' in at.search ? at.search.open : undefined);

export function useLeaveGuard(unsaved: boolean): void {
  useBlocker({
    disabled: !unsaved,
    enableBeforeUnload: unsaved,
    shouldBlockFn: async ({ current, next }) => {
      if (current.pathname === next.pathname && opened(current) === opened(next)) return false;
      const leave = await confirm({
        title: 'Leave without saving?',
        says: 'Your unsaved changes will be lost.',
        act: 'Leave',
        tone: 'bad',
      });
      return !leave;
    },
  });
}
