// What the screens of segments share with screens of other features; nothing else is imported from there.
export { SegmentList, SegmentSelect, useSegmentCount } from './segment-list.tsx';
