// What the screens of vendors lend to screens of other features; there is no other way in.
export { VendorCards } from './vendor-card.tsx';
