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
      { name: 'Default project', says: 'the board that opens by default' },
      { name: 'Notifications', says: 'replies, assignments, pauses and failures, in Dunnock or by email' },
      { name: 'Email me when approvals are waiting', says: 'email about pending decisions' },
      { name: 'Permissions', says: 'what you can do here' },
    ],
  },
  {
    title: 'Sign-in & sessions',
    to: '/settings/sessions',
    group: 'Your account',
    admin: false,
    says: 'Password, passkeys, second factor, and where you’re signed in',
    settings: [
      { name: 'Password', says: 'change it and sign out other sessions' },
      { name: 'Passkeys', says: 'sign in with a fingerprint, face or security key' },
      { name: 'Second factor', says: 'authenticator codes at sign-in, and recovery codes' },
      { name: 'Sessions', says: 'your sessions, and signing out of them' },
    ],
  },
  {
    title: 'API',
    to: '/settings/api',
    group: 'Access & Security',
    admin: true,
    says: 'Tokens for agents and services: mint, scope, revoke',
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
    says: 'What people and tokens can do',
    settings: [],
  },
  {
    title: 'Security',
    to: '/settings/security',
    group: 'Access & Security',
    admin: true,
    says: 'Who can decide approvals',
    settings: [
      { name: 'Decisions', says: 'who decides approvals, and where' },
      { name: 'Decide only in the app', says: 'whether personal tokens can decide approvals' },
    ],
  },
  {
    title: 'Audit',
    to: '/activity',
    group: 'Access & Security',
    admin: true,
    says: 'Who did what, including refusals',
    settings: [],
  },
  {
    title: 'Integrations',
    to: '/settings/integrations',
    group: 'Revenue',
    admin: true,
    says: 'Event webhook and provider keys',
    settings: [
      { name: 'Signing secret', says: 'how receivers verify events; rotate it' },
      { name: 'Provider keys', says: 'API keys for sending, verification and models' },
      { name: 'Deliveries', says: 'sent events, and resending failed ones' },
    ],
  },
  {
    title: 'Pipeline',
    to: '/settings/pipeline',
    group: 'Revenue',
    admin: true,
    says: 'Deal stages and their probability',
    settings: [{ name: 'Stages', says: 'names, order and probability of deal stages' }],
  },
  {
    title: 'Forms',
    to: '/settings/forms',
    group: 'Revenue',
    admin: true,
    says: 'Web forms that send to the inbox',
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
    says: 'Reusable letters for campaign steps',
    settings: [],
  },
  {
    title: 'Suppressions',
    to: '/settings/suppressions',
    group: 'Sending',
    admin: true,
    says: 'Addresses that must not be contacted, including unsubscribes and bounces',
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
    says: 'Agents, models and budgets',
    settings: [
      { name: 'Models', says: 'model providers and available models' },
      { name: 'Default model and budgets', says: 'the default model and token budgets' },
      { name: 'Agents', says: 'each agent’s instructions, tools and model' },
    ],
  },
  {
    title: 'Custom fields',
    to: '/settings/fields',
    group: 'Instance',
    admin: true,
    says: 'Custom fields for people, companies and deals',
    settings: [],
  },
  {
    title: 'Workflows',
    to: '/settings/workflows',
    group: 'Instance',
    admin: true,
    says: 'Hosts that workflows can call',
    settings: [{ name: 'Allowed hosts', says: 'external hosts that workflow steps can call' }],
  },
  {
    title: 'Scripts',
    to: '/settings/scripts',
    group: 'Instance',
    admin: true,
    says: 'Run Lua scripts',
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
      { name: 'Mail', says: 'the SMTP server for invitations and notifications' },
      { name: 'Health', says: 'Background jobs, queues and the database' },
    ],
  },
];
