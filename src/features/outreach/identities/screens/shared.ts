// What the screens of identities lend to screens of other features; there is no other way in.
import { later } from '../../../../ui/kit/later.tsx';

export const AddPostalAddress = later(
  () => import('./add-postal-address.tsx').then((m) => m.AddPostalAddress),
  ({ opened }) => opened,
);
