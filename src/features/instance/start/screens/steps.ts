// Setup steps in words: what each is for, its state, and where it is done.
import type { Answer } from '../../../../ui/client/call.ts';

export type StartStep = Answer<'start_get'>['steps'][number];

type Words = {
  title: string;
  /** By how it exists. */
  says: Record<StartStep['state'], string>;
  act: string;
  to: '/settings/domains' | '/settings/identities' | '/people' | '/campaigns' | '/settings/api/connect';
};

export const STEP_WORDS: Record<StartStep['key'], Words> = {
  domain: {
    title: 'Add a sending domain',
    says: {
      open: 'Publish the DNS records we show you. Dunnock checks them automatically.',
      begun: 'Added. Its DNS records aren’t verified yet.',
      done: 'DNS records verified.',
    },
    act: 'Add domain',
    to: '/settings/domains',
  },
  identity: {
    title: 'Add an identity to send from',
    says: {
      open: 'Connect an email address and its mailbox. The daily limit ramps up gradually.',
      begun: 'Added. Not active yet.',
      done: 'Active.',
    },
    act: 'Add identity',
    to: '/settings/identities',
  },
  people: {
    title: 'Add people',
    says: {
      open: 'Import a CSV or Excel file and check the plan before saving, or add people one at a time.',
      begun: 'People added.',
      done: 'People added.',
    },
    act: 'Add people',
    to: '/people',
  },
  campaign: {
    title: 'Create a campaign',
    says: {
      open: 'Write a sequence of letters. You approve each letter before it’s sent.',
      begun: 'Draft created. Activate it to start sending.',
      done: 'Campaign activated.',
    },
    act: 'Create campaign',
    to: '/campaigns',
  },
  agent: {
    title: 'Connect an agent',
    says: {
      open: 'Create a token so your agent can work here. Actions that can’t be undone need your approval.',
      begun: 'Token created. No calls yet.',
      done: 'Agent connected.',
    },
    act: 'Connect agent',
    to: '/settings/api/connect',
  },
};

/** A step is often taken within seconds of having looked: it is read again on every way back. */
export const AS_IT_STANDS = { stale_ms: 0 };
