// The addresses of campaigns: all of them, and each with its tabs under one.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { desk } from './desk-route.tsx';
import { listState } from './list-state.ts';

const campaigns = createRoute({
  getParentRoute: () => desk,
  path: '/campaigns',
  validateSearch: listState,
  component: lazyRouteComponent(
    () => import('../../features/outreach/campaigns/screens/campaigns.tsx'),
    'CampaignsScreen',
  ),
});

const campaign = createRoute({
  getParentRoute: () => desk,
  path: '/campaigns/$campaign',
  validateSearch: listState,
  component: lazyRouteComponent(
    () => import('../../features/outreach/campaigns/screens/campaign.tsx'),
    'CampaignScreen',
  ),
});

export const campaignsRoutes = [campaigns, campaign] as const;
