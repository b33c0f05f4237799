import { SECOND_MS } from '../../../kernel/clock.ts';
import type { Feature } from '../../../kernel/app.ts';
import { watch } from '../../../kernel/watch.ts';
import { vendorMailPass } from './vendor.pass.ts';
import { beginMailbox } from './watching.ts';
import { claimMailboxes, releaseMailbox, renewMailboxes, type WatchedMailbox } from './watch.store.ts';

export const mailboxes: Feature = {
  name: 'mailboxes',
  operations: [],
  passes: [vendorMailPass],
  watches: [
    watch<WatchedMailbox>({
      name: 'mailboxes',
      // Said when settings, or a password, of an identity are saved.
      wakes_on: ['identities'],
      every_ms: 10 * SECOND_MS,
      lease_ms: 90 * SECOND_MS,
      most: 500,
      claim: claimMailboxes,
      renew: renewMailboxes,
      release: releaseMailbox,
      begin: beginMailbox,
    }),
  ],
};
