// The addresses of deals: the board and the list under one, and each deal's own.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { desk } from './desk-route.tsx';
import { listState } from './list-state.ts';

const deals = createRoute({
  getParentRoute: () => desk,
  path: '/deals',
  validateSearch: listState,
  component: lazyRouteComponent(() => import('../../features/crm/deals/screens/deals.tsx'), 'DealsScreen'),
});

const deal = createRoute({
  getParentRoute: () => desk,
  path: '/deals/$deal',
  validateSearch: listState,
  component: lazyRouteComponent(() => import('../../features/crm/deals/screens/deal.tsx'), 'DealScreen'),
});

export const dealsRoutes = [deals, deal] as const;
