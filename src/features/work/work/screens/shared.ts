// What the screens of work lend to screens of other features; there is no other way in.
export { LinkLine } from './item/links.tsx';
export { ChangesLine } from './item/timeline.tsx';
