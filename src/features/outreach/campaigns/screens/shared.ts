// What the screens of campaigns share with screens of other features; nothing else is imported from there.
export { type TabProps, useTabGuard } from './tab.ts';
