// What the screens of audit lend to screens of other features; there is no other way in.
export { HistoryLink } from './history-link.tsx';
