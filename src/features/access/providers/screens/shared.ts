// What the screens of providers share with screens of other features; nothing else is imported from there.
export { KeysCard } from './keys-card.tsx';
