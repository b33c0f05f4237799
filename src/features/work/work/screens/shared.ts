// What the screens of work share with screens of other features; nothing else is imported from there.
export { LinkLine } from './item/links.tsx';
export { ChangesLine } from './item/timeline.tsx';
