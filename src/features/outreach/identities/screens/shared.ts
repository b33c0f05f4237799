// What the screens of identities share with screens of other features; nothing else is imported from there.
import { later } from '../../../../ui/kit/later.tsx';

export const AddPostalAddress = later(
  () => import('./add-postal-address.tsx').then((m) => m.AddPostalAddress),
  ({ opened }) => opened,
);
