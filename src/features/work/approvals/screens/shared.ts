// What the screens of approvals share with screens of other features; nothing else is imported from there.
export { ActAnswer, ActShown } from './act.tsx';
export { ReviewBanner } from './banner.tsx';
export { Decide } from './decide.tsx';
export { EarlierDecisions } from './earlier.tsx';
export { STATES } from './queue.tsx';
export { Readable } from './readable.tsx';
