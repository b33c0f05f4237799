// The address of the inbox: its filters, the conversation that is open and what is searched for all stand in it.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { desk } from './desk-route.tsx';
import { listState } from './list-state.ts';

const inbox = createRoute({
  getParentRoute: () => desk,
  path: '/inbox',
  validateSearch: listState,
  component: lazyRouteComponent(
    () => import('../../features/inbox/threads/screens/list/inbox.tsx'),
    'InboxScreen',
  ),
});

// Mail that nobody could place, until somebody says where it belongs.
const quarantine = createRoute({
  getParentRoute: () => desk,
  path: '/inbox/quarantine',
  validateSearch: listState,
  component: lazyRouteComponent(
    () => import('../../features/inbox/landing/screens/quarantine.tsx'),
    'QuarantineScreen',
  ),
});

export const inboxRoutes = [inbox, quarantine] as const;
