// Reads one mail as it came in: whether a machine reports in it what became of letters, and else what it says. Asks nobody.
import type { Secret } from '../../kernel/secret.ts';
import { addressHash, parseAddress } from '../../mail/address.ts';
import { readVerp } from '../../mail/compose/verp.ts';
import type { ReadMail } from '../../mail/inbound/mail.ts';
import { readMail } from '../../mail/inbound/read.ts';
import { readReports } from '../../mail/reports/read.ts';
import { deliveriesIn } from '../deliveries/reports.ts';
import type { Delivery } from '../deliveries/rules.ts';

/** The sender's address as it is matched; null: there is none that can be read. */
export type From = { normalised: string; hash: string } | null;

export type Arrived =
  | { kind: 'report'; deliveries: Delivery[] }
  | { kind: 'mail'; mail: ReadMail; from: From; verp_sends: string[] };

const REPORTS: readonly string[] = ['bounce', 'complaint', 'receipt'];

/** `verp`: the instance's key of that purpose. What lies in our own Sent folder is a report to nobody. */
export async function readArrived(
  bytes: Uint8Array,
  { delivered_to, own }: { delivered_to: readonly string[]; own: boolean },
  verp: Secret,
  at: Date,
): Promise<Arrived> {
  const seen = own ? null : await readReports(bytes);
  if (seen && REPORTS.includes(seen.kind))
    return { kind: 'report', deliveries: (await deliveriesIn(bytes, verp, at)).deliveries };
  const { mail, from } = await readLetter(bytes);
  const addressed = [
    ...delivered_to,
    ...(seen?.addressed_to ?? []),
    ...[...mail.to, ...mail.cc].map(({ address }) => address),
  ];
  const sends = addressed.flatMap((address) => readVerp(address, verp) ?? []);
  return { kind: 'mail', mail, from, verp_sends: [...new Set(sends)] };
}

/** What it says, and from whom; the same where a person asks again. */
export async function readLetter(bytes: Uint8Array): Promise<{ mail: ReadMail; from: From }> {
  const mail = await readMail(bytes);
  return { mail, from: fromOf(mail) };
}

function fromOf({ from }: ReadMail): From {
  const read = from === null ? null : parseAddress(from.address);
  if (!read?.ok) return null;
  const { normalised } = read.address;
  return { normalised, hash: addressHash(normalised) };
}
