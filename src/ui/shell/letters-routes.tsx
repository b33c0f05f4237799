// The addresses of letters: the queue to review, all of them in a list, and each letter's own.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { desk } from './desk-route.tsx';
import { listState } from './list-state.ts';

const review = createRoute({
  getParentRoute: () => desk,
  path: '/review',
  validateSearch: listState,
  component: lazyRouteComponent(
    () => import('../../features/outreach/sends/screens/review/review.tsx'),
    'ReviewScreen',
  ),
});

const sends = createRoute({
  getParentRoute: () => desk,
  path: '/sends',
  validateSearch: listState,
  component: lazyRouteComponent(
    () => import('../../features/outreach/sends/screens/sends.tsx'),
    'SendsScreen',
  ),
});

const send = createRoute({
  getParentRoute: () => desk,
  path: '/sends/$send',
  component: lazyRouteComponent(() => import('../../features/outreach/sends/screens/send.tsx'), 'SendScreen'),
});

export const lettersRoutes = [review, sends, send] as const;
