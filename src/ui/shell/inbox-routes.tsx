// The address of the inbox: its filters, the conversation that is open and what is searched for all are in it.
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

// Mail that no one could place, until someone says where it belongs.
const quarantine = createRoute({
  getParentRoute: () => desk,
  path: '/inbox/quarantine',
  validateSearch: listState,
  component: lazyRouteComponent(
    () => import('../../features/inbox/inbound/screens/quarantine.tsx'),
    'QuarantineScreen',
  ),
});

export const inboxRoutes = [inbox, quarantine] as const;
