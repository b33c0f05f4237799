// The addresses of Settings that sending has: domains, identities, postal addresses, templates.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { listState } from './list-state.ts';
import { settings } from './settings-frame-route.tsx';

const domains = createRoute({
  getParentRoute: () => settings,
  path: '/domains',
  validateSearch: listState,
  component: lazyRouteComponent(
    () => import('../../features/outreach/domains/screens/domains.tsx'),
    'DomainsScreen',
  ),
});

const domain = createRoute({
  getParentRoute: () => settings,
  path: '/domains/$domain',
  validateSearch: listState,
  component: lazyRouteComponent(
    () => import('../../features/outreach/domains/screens/domain.tsx'),
    'DomainScreen',
  ),
});

const identities = createRoute({
  getParentRoute: () => settings,
  path: '/identities',
  validateSearch: listState,
  component: lazyRouteComponent(
    () => import('../../features/outreach/identities/screens/identities.tsx'),
    'IdentitiesScreen',
  ),
});

const newIdentity = createRoute({
  getParentRoute: () => settings,
  path: '/identities/new',
  component: lazyRouteComponent(
    () => import('../../features/outreach/identities/screens/new-identity.tsx'),
    'NewIdentityScreen',
  ),
});

const identity = createRoute({
  getParentRoute: () => settings,
  path: '/identities/$identity',
  validateSearch: listState,
  component: lazyRouteComponent(
    () => import('../../features/outreach/identities/screens/identity.tsx'),
    'IdentityScreen',
  ),
});

const postalAddresses = createRoute({
  getParentRoute: () => settings,
  path: '/postal-addresses',
  validateSearch: listState,
  component: lazyRouteComponent(
    () => import('../../features/outreach/identities/screens/postal-addresses.tsx'),
    'PostalAddressesScreen',
  ),
});

const templates = createRoute({
  getParentRoute: () => settings,
  path: '/templates',
  validateSearch: listState,
  component: lazyRouteComponent(
    () => import('../../features/outreach/sequences/screens/templates.tsx'),
    'TemplatesScreen',
  ),
});

export const sendingSettings = [
  domains,
  domain,
  identities,
  newIdentity,
  identity,
  postalAddresses,
  templates,
] as const;
