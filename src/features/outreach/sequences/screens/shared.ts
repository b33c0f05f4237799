// What the screens of sequences lend to screens of other features; there is no other way in.
import { lazy } from 'react';
export { asDraft, stepWord } from './draft.rules.ts';

export const StepsTab = lazy(() => import('./steps.tsx').then((m) => ({ default: m.StepsTab })));
