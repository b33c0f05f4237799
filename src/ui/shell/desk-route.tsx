// The two frames of every address: the root, and the desk, which opens only for someone who is signed in; anyone else is led
// to set-up or sign-in, and back to where they were going afterwards.
import { createRootRoute, createRoute, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router';
import { ApiError } from '../client/call.ts';
import { readMe, whereUnknown } from '../client/session.ts';
import { NothingHere, OpeningAlone, TroubleAlone } from './route-states.tsx';

export const root = createRootRoute({
  component: Outlet,
  notFoundComponent: NothingHere,
  errorComponent: TroubleAlone,
});

export const desk = createRoute({
  getParentRoute: () => root,
  id: 'desk',
  beforeLoad: async ({ location }) => {
    try {
      await readMe();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      if ((await whereUnknown()) === 'set-up') throw redirect({ to: '/setup' });
      throw redirect({ to: '/sign-in', search: location.pathname === '/' ? {} : { to: location.href } });
    }
  },
  pendingComponent: OpeningAlone,
  errorComponent: TroubleAlone,
  component: lazyRouteComponent(() => import('./shell.tsx'), 'Shell'),
});
