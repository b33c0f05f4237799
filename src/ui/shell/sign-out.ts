// Signing out. It stops bulk actions of this tab, so it asks first, as closing the tab does.
import { useAct } from '../client/hooks.ts';
import { leaveSignedOut } from '../client/session-over.ts';
import { confirm } from '../kit/confirm.ts';
import { forgetFiles } from '../kit/kept-files.ts';
import { counted } from '../kit/numbers.ts';
import { endAll } from './runs.ts';
import { passed, underWay } from './runs-shown.ts';

export function useSignOut(): () => Promise<void> {
  const { mutate } = useAct('auth_logout', {
    onSuccess: () => {
      // A whole new page: nothing that was read stays in memory. First, since what ends has lists read again, which would find
      // that no one is signed in and lead back here.
      leaveSignedOut();
      endAll();
    },
  });
  return async () => {
    const going = underWay();
    const far = going.map((run) => `${run.title} (${counted(passed(run))} of ${counted(run.total)})`);
    const yes =
      going.length === 0 ||
      (await confirm({
        title: 'Sign out while this is running?',
        says: `Signing out stops: ${far.join('; ')}. Completed changes are saved.`,
        act: 'Sign out',
        tone: 'bad',
      }));
    if (!yes) return;
    // Before: a page that leaves may not come to it.
    await forgetFiles();
    mutate({});
  };
}
