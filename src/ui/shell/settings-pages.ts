// The pages of Settings in their groups: what its frame and the search list. Apart from the places, so that no first screen loads
// them.
export type Setting = { name: string; says: string };

export type SettingsPage = {
  title: string;
  /** What one does there. */
  says: string;
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
  /** What can be set there, by the very words that are over it. */
  settings: Setting[];
};

export const SETTINGS_PAGES: SettingsPage[] = [
  {
    title: 'Profile',
    to: '/settings/profile',
    group: 'Your account',
    admin: false,
    says: 'Your name, time zone and notifications',
    settings: [
      { name: 'Profile', says: 'your name and time zone' },
      { name: 'Default project', says: 'where your new work begins' },
      { name: 'Email me when approvals wait for me', says: 'email about waiting decisions' },
      { name: 'Rights', says: 'what you may do here' },
    ],
  },
  {
    title: 'Sign-in & sessions',
    to: '/settings/sessions',
    group: 'Your account',
    admin: false,
    says: 'Password, passkeys, second factor, and where you are signed in',
    settings: [
      { name: 'Password', says: 'change it and sign out other sessions' },
      { name: 'Passkeys', says: 'sign in with a fingerprint, a face or a key' },
      { name: 'Second factor', says: 'authenticator codes at sign-in, and recovery codes' },
      { name: 'Sessions', says: 'your sessions, and signing out of them' },
    ],
  },
  {
    title: 'API',
    to: '/settings/api',
    group: 'Access & Security',
    admin: true,
    says: 'Tokens of agents and services: mint, scope, revoke',
    settings: [],
  },
  {
    title: 'Users',
    to: '/settings/users',
    group: 'Access & Security',
    admin: true,
    says: 'Who can sign in: invite, disable, set permissions',
    settings: [],
  },
  {
    title: 'Groups',
    to: '/settings/groups',
    group: 'Access & Security',
    admin: true,
    says: 'People who share policies',
    settings: [],
  },
  {
    title: 'Policies',
    to: '/settings/policies',
    group: 'Access & Security',
    admin: true,
    says: 'What someone may do, allowed and denied',
    settings: [],
  },
  {
    title: 'Security',
    to: '/settings/security',
    group: 'Access & Security',
    admin: true,
    says: 'Who decides what',
    settings: [
      { name: 'Decisions', says: 'who decides approvals, and where' },
      { name: 'Decide on the screen only', says: 'whether a person’s own token may decide approvals' },
    ],
  },
  {
    title: 'Audit',
    to: '/activity',
    group: 'Access & Security',
    admin: true,
    says: 'Who did what, refusals included',
    settings: [],
  },
  {
    title: 'Integrations',
    to: '/settings/integrations',
    group: 'Revenue',
    admin: true,
    says: 'Events to other systems, vendors, keys of providers',
    settings: [
      { name: 'Signing secret', says: 'how receivers verify events; rotate it' },
      { name: 'Providers’ keys', says: 'API keys of vendors, verification and models' },
      { name: 'Deliveries', says: 'sent events, and resending failed ones' },
    ],
  },
  {
    title: 'Pipeline',
    to: '/settings/pipeline',
    group: 'Revenue',
    admin: true,
    says: 'Stages of deals and how likely each is',
    settings: [{ name: 'Stages', says: 'names, order and probability of the stages of deals' }],
  },
  {
    title: 'Forms',
    to: '/settings/forms',
    group: 'Revenue',
    admin: true,
    says: 'Web forms whose posts reach the inbox',
    settings: [],
  },
  {
    title: 'Domains',
    to: '/settings/domains',
    group: 'Sending',
    admin: true,
    says: 'DNS records, health, caps and pauses',
    settings: [],
  },
  {
    title: 'Identities',
    to: '/settings/identities',
    group: 'Sending',
    admin: true,
    says: 'Senders: outgoing and incoming mail, pace and signature',
    settings: [],
  },
  {
    title: 'Postal addresses',
    to: '/settings/postal-addresses',
    group: 'Sending',
    admin: true,
    says: 'Shown at the end of letters',
    settings: [],
  },
  {
    title: 'Templates',
    to: '/settings/templates',
    group: 'Sending',
    admin: true,
    says: 'Letters to start steps from',
    settings: [],
  },
  {
    title: 'Suppressions',
    to: '/settings/suppressions',
    group: 'Sending',
    admin: true,
    says: 'Who must not be contacted, including unsubscribes and bounces',
    settings: [],
  },
  {
    title: 'Capabilities',
    to: '/settings/capabilities',
    group: 'Instance',
    admin: true,
    says: 'Third-party tool servers that agents can call',
    settings: [],
  },
  {
    title: 'Agents & models',
    to: '/settings/agents',
    group: 'Instance',
    admin: true,
    says: 'Agents of this instance, models, budgets',
    settings: [
      { name: 'Models', says: 'providers of models and which can be used' },
      { name: 'Default and budgets', says: 'the default model, and what agents may cost' },
      { name: 'Agents', says: 'instructions, tools and model of each agent' },
    ],
  },
  {
    title: 'Custom fields',
    to: '/settings/fields',
    group: 'Instance',
    admin: true,
    says: 'Custom fields of people, companies and deals',
    settings: [],
  },
  {
    title: 'Workflows',
    to: '/settings/workflows',
    group: 'Instance',
    admin: true,
    says: 'Addresses that workflows can call',
    settings: [{ name: 'Allowed hosts', says: 'outside addresses that workflow steps may call' }],
  },
  {
    title: 'Scripts',
    to: '/settings/scripts',
    group: 'Instance',
    admin: true,
    says: 'The console that runs Lua',
    settings: [],
  },
  {
    title: 'Get started',
    to: '/start',
    group: 'Instance',
    admin: true,
    says: 'The first steps, and sample data',
    settings: [],
  },
  {
    title: 'Instance',
    to: '/settings/instance',
    group: 'Instance',
    admin: true,
    says: 'Name, addresses, mail and health of this instance',
    settings: [
      { name: 'This instance', says: 'its name, address and tool endpoint' },
      { name: 'Mail', says: 'the server that invitations and notices are mailed by (SMTP)' },
      { name: 'Health', says: 'Passes, the queue, and their database' },
    ],
  },
];
