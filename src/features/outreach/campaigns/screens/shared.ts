// What the screens of campaigns lend to screens of other features; there is no other way in.
export { type TabProps, useTabGuard } from './tab.ts';
