// The addresses of Settings.
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { listState } from './list-state.ts';
import { settings } from './settings-frame-route.tsx';
import { sendingSettings } from './settings-sending-routes.tsx';

const first = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/settings/profile', replace: true });
  },
});

const profile = createRoute({
  getParentRoute: () => settings,
  path: '/profile',
  component: lazyRouteComponent(
    () => import('../../features/access/me/screens/profile.tsx'),
    'ProfileScreen',
  ),
});

const sessions = createRoute({
  getParentRoute: () => settings,
  path: '/sessions',
  component: lazyRouteComponent(
    () => import('../../features/access/me/screens/sessions.tsx'),
    'SessionsScreen',
  ),
});

const api = createRoute({
  getParentRoute: () => settings,
  path: '/api',
  validateSearch: listState,
  component: lazyRouteComponent(() => import('../../features/access/tokens/screens/api.tsx'), 'ApiScreen'),
});

const connect = createRoute({
  getParentRoute: () => settings,
  path: '/api/connect',
  component: lazyRouteComponent(
    () => import('../../features/access/tokens/screens/connect.tsx'),
    'ConnectScreen',
  ),
});

const users = createRoute({
  getParentRoute: () => settings,
  path: '/users',
  validateSearch: listState,
  component: lazyRouteComponent(() => import('../../features/access/users/screens/users.tsx'), 'UsersScreen'),
});

const groups = createRoute({
  getParentRoute: () => settings,
  path: '/groups',
  validateSearch: listState,
  component: lazyRouteComponent(
    () => import('../../features/access/groups/screens/groups.tsx'),
    'GroupsScreen',
  ),
});

const policies = createRoute({
  getParentRoute: () => settings,
  path: '/policies',
  validateSearch: listState,
  component: lazyRouteComponent(
    () => import('../../features/access/policies/screens/policies.tsx'),
    'PoliciesScreen',
  ),
});

const explain = createRoute({
  getParentRoute: () => settings,
  path: '/policies/explain',
  component: lazyRouteComponent(
    () => import('../../features/access/policies/screens/explain.tsx'),
    'ExplainScreen',
  ),
});

const audit = createRoute({
  getParentRoute: () => settings,
  path: '/audit',
  beforeLoad: () => {
    throw redirect({ to: '/activity', replace: true });
  },
});

const security = createRoute({
  getParentRoute: () => settings,
  path: '/security',
  component: lazyRouteComponent(
    () => import('../../features/access/settings/screens/security.tsx'),
    'SecurityScreen',
  ),
});

const instance = createRoute({
  getParentRoute: () => settings,
  path: '/instance',
  component: lazyRouteComponent(() => import('./instance-screen.tsx'), 'InstanceScreen'),
});

const integrations = createRoute({
  getParentRoute: () => settings,
  path: '/integrations',
  validateSearch: listState,
  component: lazyRouteComponent(
    () => import('../../features/instance/events/screens/integrations.tsx'),
    'IntegrationsScreen',
  ),
});

const pipeline = createRoute({
  getParentRoute: () => settings,
  path: '/pipeline',
  component: lazyRouteComponent(
    () => import('../../features/crm/deals/screens/pipeline.tsx'),
    'PipelineScreen',
  ),
});

const fields = createRoute({
  getParentRoute: () => settings,
  path: '/fields',
  validateSearch: listState,
  component: lazyRouteComponent(
    () => import('../../features/crm/fields/screens/custom-fields.tsx'),
    'CustomFieldsScreen',
  ),
});

const suppressions = createRoute({
  getParentRoute: () => settings,
  path: '/suppressions',
  validateSearch: listState,
  component: lazyRouteComponent(
    () => import('../../features/crm/suppressions/screens/suppressions.tsx'),
    'SuppressionsScreen',
  ),
});

const capabilities = createRoute({
  getParentRoute: () => settings,
  path: '/capabilities',
  validateSearch: listState,
  component: lazyRouteComponent(
    () => import('../../features/automation/capabilities/screens/capabilities.tsx'),
    'CapabilitiesScreen',
  ),
});

const capability = createRoute({
  getParentRoute: () => settings,
  path: '/capabilities/$capability',
  component: lazyRouteComponent(
    () => import('../../features/automation/capabilities/screens/capability.tsx'),
    'CapabilityScreen',
  ),
});

const agents = createRoute({
  getParentRoute: () => settings,
  path: '/agents',
  validateSearch: listState,
  component: lazyRouteComponent(
    () => import('../../features/automation/agents/screens/agents.tsx'),
    'AgentsScreen',
  ),
});

const hosts = createRoute({
  getParentRoute: () => settings,
  path: '/workflows',
  component: lazyRouteComponent(
    () => import('../../features/automation/workflows/screens/hosts.tsx'),
    'WorkflowHostsScreen',
  ),
});

const scripts = createRoute({
  getParentRoute: () => settings,
  path: '/scripts',
  component: lazyRouteComponent(
    () => import('../../features/automation/scripts/screens/scripts.tsx'),
    'ScriptsScreen',
  ),
});

const forms = createRoute({
  getParentRoute: () => settings,
  path: '/forms',
  validateSearch: listState,
  component: lazyRouteComponent(() => import('../../features/inbox/forms/screens/forms.tsx'), 'FormsScreen'),
});

export const settingsRoutes = settings.addChildren([
  first,
  profile,
  sessions,
  api,
  connect,
  users,
  groups,
  policies,
  explain,
  audit,
  security,
  integrations,
  pipeline,
  fields,
  ...sendingSettings,
  suppressions,
  agents,
  forms,
  capabilities,
  capability,
  hosts,
  scripts,
  instance,
]);
