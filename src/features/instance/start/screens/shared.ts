// What the screens of start lend to screens of other features; there is no other way in.
export { FirstRun } from './first-run.tsx';
