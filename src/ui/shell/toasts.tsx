// Where toasts are drawn, above the tray of runs where there is one; loaded with the first of either.
import '@mantine/notifications/styles.layer.css';
import { Notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { later } from '../kit/later.tsx';
import { showLeft, useTrayNeeded } from './runs-shown.ts';

const RunsTray = later<{ needed: boolean }>(
  () => import('./runs-tray.tsx').then((m) => m.RunsTray),
  ({ needed }) => needed,
);

export function Toasts() {
  useEffect(() => {
    showLeft();
    void import('./runs-jobs.ts').then((m) => m.findJobs());
  }, []);
  return (
    <>
      <Notifications
        position="bottom-right"
        limit={4}
        containerWidth={380}
        style={{ marginBottom: 'var(--runs-height, 0px)' }}
      />
      <RunsTray needed={useTrayNeeded()} />
    </>
  );
}
