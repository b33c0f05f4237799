// What the screens of audit share with screens of other features; nothing else is imported from there.
export { HistoryLink } from './history-link.tsx';
export { SealSection } from './seal.tsx';
