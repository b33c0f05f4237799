// What the screens of approvals lend to screens of other features; there is no other way in.
export { ActAnswer, ActShown } from './act.tsx';
export { ReviewBanner } from './banner.tsx';
export { Decide } from './decide.tsx';
export { EarlierDecisions } from './earlier.tsx';
export { STATES } from './queue.tsx';
export { Readable } from './readable.tsx';
