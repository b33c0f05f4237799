// The frame of Settings, with its own list of pages.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { desk } from './desk-route.tsx';

export const settings = createRoute({
  getParentRoute: () => desk,
  path: '/settings',
  component: lazyRouteComponent(
    () => import('../../features/access/settings/screens/frame.tsx'),
    'SettingsFrame',
  ),
});
