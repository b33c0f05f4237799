// What the screens of suppressions lend to screens of other features; there is no other way in.
import { later } from '../../../../ui/kit/later.tsx';
export { useLift } from './lift.ts';
export { SuppressedMark } from './mark.tsx';
export { REASON, whoMayLift } from './words.ts';

export const AddSuppressions = later(
  () => import('./add-dialog.tsx').then((m) => m.AddSuppressions),
  ({ opened }) => opened,
);
