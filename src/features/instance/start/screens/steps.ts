// The first steps in words: what each is for, how it exists, and where exactly it is done.
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
    title: 'Add a domain to send from',
    says: {
      open: 'Its records are shown, and checked until they are right.',
      begun: 'Added; its records have not passed yet.',
      done: 'Its records passed.',
    },
    act: 'Add a domain',
    to: '/settings/domains',
  },
  identity: {
    title: 'Add who letters come from',
    says: {
      open: 'A name, an address and a mail server, with a pace that grows.',
      begun: 'Added; it is not active yet.',
      done: 'It is active.',
    },
    act: 'Add an identity',
    to: '/settings/identities',
  },
  people: {
    title: 'Bring in people',
    says: {
      open: 'From a file, with a plan before anything is written, or one by one.',
      begun: 'You have people.',
      done: 'You have people.',
    },
    act: 'Bring in people',
    to: '/people',
  },
  campaign: {
    title: 'Start a campaign',
    says: {
      open: 'Letters in steps; you read each before it goes.',
      begun: 'A draft is there; nothing leaves before you activate it.',
      done: 'One has been activated.',
    },
    act: 'Write a campaign',
    to: '/campaigns',
  },
  agent: {
    title: 'Connect an agent',
    says: {
      open: 'It works here with a token of yours, and asks you for what cannot be taken back.',
      begun: 'A token is minted; its first call has not come.',
      done: 'Its first call came.',
    },
    act: 'Connect an agent',
    to: '/settings/api/connect',
  },
};

/** A step is often taken within seconds of having looked: it is read again on every way back. */
export const AS_IT_STANDS = { stale_ms: 0 };
