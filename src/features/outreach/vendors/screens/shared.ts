// What the screens of vendors share with screens of other features; nothing else is imported from there.
export { VendorCards } from './vendor-card.tsx';
