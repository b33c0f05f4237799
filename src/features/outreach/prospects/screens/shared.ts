// What the screens of prospects lend to screens of other features; there is no other way in.
import { lazy } from 'react';
export { STAGE } from './words.ts';

export const PeopleTab = lazy(() => import('./people-tab.tsx').then((m) => ({ default: m.PeopleTab })));
