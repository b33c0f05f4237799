// What the screens of sequences share with screens of other features; nothing else is imported from there.
import { lazy } from 'react';
export { asDraft, stepWord } from './draft.rules.ts';

export const StepsTab = lazy(() => import('./steps.tsx').then((m) => ({ default: m.StepsTab })));
