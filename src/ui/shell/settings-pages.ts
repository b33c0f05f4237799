// The pages of Settings in their groups: what its frame and the search list. Apart from the places, so that no first screen loads
// them.
export type SettingsPage = {
  title: string;
  to:
    | '/settings/profile'
    | '/settings/sessions'
    | '/settings/api'
    | '/settings/users'
    | '/settings/groups'
    | '/settings/policies'
    | '/settings/security'
    | '/settings/integrations'
    | '/settings/pipeline'
    | '/settings/fields'
    | '/settings/domains'
    | '/settings/identities'
    | '/settings/postal-addresses'
    | '/settings/templates'
    | '/settings/suppressions'
    | '/settings/capabilities'
    | '/settings/forms'
    | '/settings/agents'
    | '/settings/workflows'
    | '/settings/scripts'
    | '/settings/instance'
    | '/start'
    | '/activity';
  group: 'Your account' | 'Access & Security' | 'Revenue' | 'Sending' | 'Instance';
  admin: boolean;
};

export const SETTINGS_PAGES: SettingsPage[] = [
  { title: 'Profile', to: '/settings/profile', group: 'Your account', admin: false },
  { title: 'Sign-in & sessions', to: '/settings/sessions', group: 'Your account', admin: false },
  { title: 'API', to: '/settings/api', group: 'Access & Security', admin: true },
  { title: 'Users', to: '/settings/users', group: 'Access & Security', admin: true },
  { title: 'Groups', to: '/settings/groups', group: 'Access & Security', admin: true },
  { title: 'Policies', to: '/settings/policies', group: 'Access & Security', admin: true },
  { title: 'Security', to: '/settings/security', group: 'Access & Security', admin: true },
  { title: 'Audit', to: '/activity', group: 'Access & Security', admin: true },
  { title: 'Integrations', to: '/settings/integrations', group: 'Revenue', admin: true },
  { title: 'Pipeline', to: '/settings/pipeline', group: 'Revenue', admin: true },
  { title: 'Forms', to: '/settings/forms', group: 'Revenue', admin: true },
  { title: 'Domains', to: '/settings/domains', group: 'Sending', admin: true },
  { title: 'Identities', to: '/settings/identities', group: 'Sending', admin: true },
  { title: 'Postal addresses', to: '/settings/postal-addresses', group: 'Sending', admin: true },
  { title: 'Templates', to: '/settings/templates', group: 'Sending', admin: true },
  { title: 'Suppressions', to: '/settings/suppressions', group: 'Sending', admin: true },
  { title: 'Capabilities', to: '/settings/capabilities', group: 'Instance', admin: true },
  { title: 'Agents & models', to: '/settings/agents', group: 'Instance', admin: true },
  { title: 'Custom fields', to: '/settings/fields', group: 'Instance', admin: true },
  { title: 'Workflows', to: '/settings/workflows', group: 'Instance', admin: true },
  { title: 'Scripts', to: '/settings/scripts', group: 'Instance', admin: true },
  { title: 'Get started', to: '/start', group: 'Instance', admin: true },
  { title: 'Instance', to: '/settings/instance', group: 'Instance', admin: true },
];
