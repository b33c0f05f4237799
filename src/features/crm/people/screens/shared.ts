// What the screens of people share with screens of other features; nothing else is imported from there.
import { later } from '../../../../ui/kit/later.tsx';
export { columnsWith } from './columns.tsx';
export { RecordConflict } from './conflict.tsx';
export { BASIS, type Basis, VERDICT } from './words.ts';

export const NewPerson = later(
  () => import('./new-person.tsx').then((m) => m.NewPerson),
  ({ opened }) => opened,
);
