// The two scopes of a token in the specification's words, and the sixteen acts that `wire` opens, in its order.

export const SCOPES = {
  wire: {
    title: 'Can put letters on the wire',
    says: 'Allows the 16 acts that contact people, use a domain’s reputation or give access. Without this scope, they’re refused on every route.',
  },
  scripts: {
    title: 'Can run Lua against this instance',
    says: 'Allows only the run tool. A script has the permissions of the token, never more.',
  },
} as const;

export const WIRE_ACTS: readonly string[] = [
  'Approving a send',
  'Sending a drafted answer',
  'Lifting a suppression',
  'Activating a campaign',
  'Enrolling people into a sequence',
  'Changing a campaign’s review policy, its no-human-review confirmation, or its identity pool',
  'Resuming a paused domain',
  'Creating a sending identity',
  'Setting a sending identity active',
  'Inviting someone',
  'Registering the vendor webhook',
  'Rotating the webhook secret',
  'Deleting a provider’s key',
  'Saving a provider’s keys',
  'Setting the events webhook address',
  'Rotating the events signing secret',
];
