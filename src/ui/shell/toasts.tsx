// Where toasts are drawn: beside the navigation, where no screen has its buttons; and the tray of runs. Loaded with the first of
// either.
import '@mantine/notifications/styles.layer.css';
import { Notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import classes from './toasts.module.css';
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
      <Notifications position="bottom-left" limit={4} containerWidth={380} className={classes.toasts ?? ''} />
      <RunsTray needed={useTrayNeeded()} />
    </>
  );
}
