// What the screens of start share with screens of other features; nothing else is imported from there.
export { FirstRun } from './first-run.tsx';
