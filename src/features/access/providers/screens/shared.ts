// What the screens of providers lend to screens of other features; there is no other way in.
export { KeysCard } from './keys-card.tsx';
