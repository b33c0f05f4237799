// The fingerprint of an identity as a person sees it before they activate it or put it into a pool.
import { seenOf } from '../../../kernel/seen.ts';
import type { Identity } from './contract.ts';

export const seenOfIdentity = ({
  id,
  revision,
  domain,
  domain_state,
}: Pick<Identity, 'id' | 'revision' | 'domain'> & { domain_state: string }): string =>
  seenOf('identity', id, revision, domain, domain_state);
