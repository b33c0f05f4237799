// The envelope sender of an identity's letters, which is where bounces go. Both kinds are on the domain that letters are from, so
// that SPF aligns.
import type { Secret } from '../../../../kernel/secret.ts';
import { mailboxOf } from '../../../../mail/compose/fields.ts';
import { verp } from '../../../../mail/compose/verp.ts';
import type { SendingIdentity } from './sending.store.ts';

/** `id`: of the send, or of the probe, that its bounce address names. `key`: the instance's of the purpose `verp`. */
export function envelopeFrom(
  { address, domain, envelope_sender }: Pick<SendingIdentity, 'address' | 'domain' | 'envelope_sender'>,
  id: string,
  key: Secret,
): string {
  return envelope_sender === 'own' ? ownAddress(address) : verp(id, key, domain.name);
}

/** As it goes over the wire. */
export function ownAddress(address: string): string {
  const mailbox = mailboxOf(address);
  return mailbox ? `${mailbox.local}@${mailbox.domain}` : address;
}
