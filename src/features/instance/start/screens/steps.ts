// Words and links of the setup steps, by their state, and which of them get the first letter out.
import type { Answer } from '../../../../ui/client/call.ts';

export type StartStep = Answer<'start_get'>['steps'][number];

type Words = {
  title: string;
  /** What it is for, or how far it is. */
  says: Record<StartStep['state'], string>;
  act: string;
  to:
    | '/settings/domains'
    | '/settings/identities'
    | '/settings/postal-addresses'
    | '/people'
    | '/campaigns'
    | '/settings/api/connect'
    | '/settings/instance'
    | '/settings/sessions';
  /** What is open there for whoever takes the step for the first time, or the screen where it begins. */
  opens?: 'domain' | 'postal' | 'campaign';
  begins?: '/settings/identities/new';
  /** The heading of the guide that explains it. */
  learn: string;
};

export const STEP_WORDS: Record<StartStep['key'], Words> = {
  domain: {
    title: 'Add a sending domain',
    says: {
      open: 'The domain your letters come from. Dunnock shows the DNS records to publish and checks them.',
      begun: 'Domain added. Its DNS records aren’t verified yet.',
      done: 'DNS records verified.',
    },
    act: 'Add domain',
    to: '/settings/domains',
    opens: 'domain',
    learn: '2-a-domain-to-send-from',
  },
  identity: {
    title: 'Add an identity to send from',
    says: {
      open: 'A name and address on that domain, with the mail server that sends for it.',
      begun: 'Identity added. Activate it to send from it.',
      done: 'Identity active.',
    },
    act: 'Add identity',
    to: '/settings/identities',
    begins: '/settings/identities/new',
    learn: '3-sender-identities',
  },
  postal_address: {
    title: 'Add a postal address',
    says: {
      open: 'Most countries require a postal address in each letter.',
      begun: 'Postal address added.',
      done: 'Postal address added.',
    },
    act: 'Add postal address',
    to: '/settings/postal-addresses',
    opens: 'postal',
    learn: '3-sender-identities',
  },
  people: {
    title: 'Add people',
    says: {
      open: 'The people you write to. Import a CSV or Excel file, or add someone by hand.',
      begun: 'People added.',
      done: 'People added.',
    },
    act: 'Add people',
    to: '/people',
    learn: '4-people',
  },
  campaign: {
    title: 'Create a campaign',
    says: {
      open: 'A sequence of letters to the people you choose. You approve each letter before it’s sent.',
      begun: 'Draft created. Activate it to start sending.',
      done: 'Campaign activated.',
    },
    act: 'Create campaign',
    to: '/campaigns',
    opens: 'campaign',
    learn: '5-a-campaign',
  },
  agent: {
    title: 'Connect an agent',
    says: {
      open: 'Software that drafts, researches and files for you. You sign for what can’t be undone.',
      begun: 'Token created. No calls yet.',
      done: 'Agent connected.',
    },
    act: 'Connect agent',
    to: '/settings/api/connect',
    learn: '7-an-agent',
  },
  mail: {
    title: 'Set up a mail server',
    says: {
      open: 'Sends invitations, password resets and notifications. Letters don’t use it.',
      begun: 'Mail server saved.',
      done: 'Mail server saved.',
    },
    act: 'Set up mail',
    to: '/settings/instance',
    learn: '1-set-it-up',
  },
  second_factor: {
    title: 'Secure your sign-in',
    says: {
      open: 'Add a passkey or a second factor. Your account can approve what can’t be undone.',
      begun: 'Sign-in secured.',
      done: 'Sign-in secured.',
    },
    act: 'Secure sign-in',
    to: '/settings/sessions',
    learn: '1-set-it-up',
  },
};

/** Without these letters leave too. */
export const RECOMMENDED: ReadonlySet<StartStep['key']> = new Set(['agent', 'mail', 'second_factor']);

/** A step is often taken within seconds of having looked: it is read again on every way back. */
export const AS_IT_STANDS = { stale_ms: 0 };
