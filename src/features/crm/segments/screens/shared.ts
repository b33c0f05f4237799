// What the screens of segments lend to screens of other features; there is no other way in.
export { SegmentList, SegmentSelect, useSegmentCount } from './segment-list.tsx';
