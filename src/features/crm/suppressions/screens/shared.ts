// What the screens of suppressions share with screens of other features; nothing else is imported from there.
import { later } from '../../../../ui/kit/later.tsx';
export { useLift } from './lift.ts';
export { SuppressedMark } from './mark.tsx';
export { REASON, whoMayLift } from './words.ts';

export const AddSuppressions = later(
  () => import('./add-dialog.tsx').then((m) => m.AddSuppressions),
  ({ opened }) => opened,
);
