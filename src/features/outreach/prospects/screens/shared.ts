// What the screens of prospects share with screens of other features; nothing else is imported from there.
import { lazy } from 'react';
export { STAGE } from './words.ts';

export const PeopleTab = lazy(() => import('./people-tab.tsx').then((m) => ({ default: m.PeopleTab })));
