// What the screens of people lend to screens of other features; there is no other way in.
import { later } from '../../../../ui/kit/later.tsx';
export { columnsWith } from './columns.tsx';
export { RecordConflict } from './conflict.tsx';
export { BASIS, type Basis, VERDICT } from './words.ts';

export const NewPerson = later(
  () => import('./new-person.tsx').then((m) => m.NewPerson),
  ({ opened }) => opened,
);
