// Reads one incoming mail: whether it is a machine’s report about letters, and otherwise what it says. It asks no one.
import { conflict } from '../../../../kernel/refusal.ts';
import type { Secret } from '../../../../kernel/secret.ts';
import { addressHash, parseAddress } from '../../../../mail/address.ts';
import { readUnsubscribeMark, readVerp } from '../../../../mail/compose/verp.ts';
import type { ReadMail } from '../../../../mail/inbound/mail.ts';
import { readApart, TooCostly } from '../../../../mail/inbound/apart.ts';
import { deliveriesIn } from '../../../outreach/deliveries/reports.ts';
import type { Delivery } from '../../../outreach/deliveries/rules.ts';

/** The sender's address as it is matched; null: there is none that can be read. */
export type From = { normalised: string; hash: string } | null;

export type Arrived =
  | { kind: 'report'; deliveries: Delivery[] }
  | { kind: 'mail'; mail: ReadMail; from: From; verp_sends: string[] };

/** `verp`: the instance's key of that purpose. What lies in our own Sent folder is a report to no one. */
export async function readArrived(
  bytes: Uint8Array,
  { delivered_to, own, cut }: { delivered_to: readonly string[]; own: boolean; cut: boolean },
  verp: Secret,
  at: Date,
): Promise<Arrived> {
  const looked = await readApart(bytes, own ? 'letter' : 'anything', undefined, cut);
  if (looked.kind === 'report')
    return { kind: 'report', deliveries: deliveriesIn(bytes, looked.report, verp, at).deliveries };
  const { mail, addressed_to } = looked;
  const addressed = [
    ...delivered_to,
    ...addressed_to,
    ...[...mail.to, ...mail.cc].map(({ address }) => address),
  ];
  const marked = readUnsubscribeMark(mail.subject, verp);
  // A probe of ours that went to an identity's own address names itself in its Message-ID alone.
  const named = [...addressed, mail.message_id?.replace(/^<|>$/g, '') ?? ''];
  const sends = [
    ...named.flatMap((address) => readVerp(address, verp) ?? []),
    ...(marked === null ? [] : [marked]),
  ];
  return { kind: 'mail', mail, from: fromOf(mail), verp_sends: [...new Set(sends)] };
}

const COSTLY = 'this mail is too complex to read here: open it in the mailbox, then dismiss it here';

/** What it says, and from whom; the same where a person asks again. */
export async function readLetter(bytes: Uint8Array, cut: boolean): Promise<{ mail: ReadMail; from: From }> {
  const looked = await readApart(bytes, 'letter', undefined, cut).catch((error: unknown) => {
    throw error instanceof TooCostly ? conflict(COSTLY) : error;
  });
  if (looked.kind === 'report') throw new Error('a mail that was sought as a letter was read as a report');
  return { mail: looked.mail, from: fromOf(looked.mail) };
}

function fromOf({ from }: ReadMail): From {
  const read = from === null ? null : parseAddress(from.address);
  if (!read?.ok) return null;
  const { normalised } = read.address;
  return { normalised, hash: addressHash(normalised) };
}
