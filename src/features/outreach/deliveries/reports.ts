// Reports that came by mail. Anyone can write one, so a letter is found only by what its receivers know: its bounce address or
// its Message-ID.
import { createHash } from 'node:crypto';
import type { Transaction } from '../../../kernel/database.ts';
import type { Secret } from '../../../kernel/secret.ts';
import { addressHash, parseAddress } from '../../../mail/address.ts';
import { readVerp } from '../../../mail/compose/verp.ts';
import { readReports } from '../../../mail/reports/read.ts';
import { isPersonsComplaint, type ReadReport, type Report } from '../../../mail/reports/report.ts';
import { recordDeliveries, type Recorded, type Recording } from './record.ts';
import type { Delivery } from './rules.ts';

export type Intake = {
  /** What the message is; `none` and `automatic` are for the inbox. */
  kind: ReadReport['kind'];
  deliveries: Delivery[];
};

/** What a message that was read says of our letters; asks no one. `verp`: the instance's key of that purpose. */
export function deliveriesIn(raw: Uint8Array, read: ReadReport, verp: Secret, at: Date): Intake {
  const [id] = read.addressed_to.flatMap((address) => readVerp(address, verp) ?? []);
  const send: Delivery['send'] =
    id === undefined ? { message_ids: read.original_message_ids } : { id, by: 'verp' };
  const letter = id ?? read.original_message_ids[0] ?? createHash('sha256').update(raw).digest('hex');
  return {
    kind: read.kind,
    deliveries: read.reports.flatMap((report) => deliveryOf(report, send, letter, at) ?? []),
  };
}

/** The same with everything that follows from it, in one transaction. */
export async function recordReports(
  tx: Transaction,
  raw: Uint8Array,
  { verp, ...recording }: Recording & { verp: Secret },
): Promise<Recorded & { kind: Intake['kind'] }> {
  const { kind, deliveries } = deliveriesIn(raw, await readReports(raw), verp, recording.now);
  return { ...(await recordDeliveries(tx, deliveries, recording)), kind };
}

/** By (letter, kind, recipient): a mail server that says the same every day says it once. */
function deliveryOf(report: Report, send: Delivery['send'], letter: string, at: Date): Delivery | null {
  const kind = kindOf(report);
  if (kind === null) return null;
  // What a forwarder put in its place is not whom we wrote to.
  const named = report.original_recipient ?? report.recipient;
  const read = named === null ? null : parseAddress(named);
  const recipient_hash = read?.ok ? addressHash(read.address.normalised) : null;
  const key = createHash('sha256')
    .update(JSON.stringify([letter, kind, recipient_hash]))
    .digest('hex');
  return {
    key: `report:${key}`,
    kind,
    source: 'report',
    send,
    status: report.status,
    cause: report.diagnostic_class ?? feedbackIn(report),
    said: report.said,
    recipient_hash,
    at,
  };
}

/** What sort of complaint it is, where it is of a registered sort (RFC 5965, 6591, 6692 and 9477). */
const FEEDBACK = ['abuse', 'fraud', 'virus', 'not-spam', 'auth-failure', 'opt-out', 'dmarc', 'other'];

const feedbackIn = ({ feedback_type: type }: Report): string | null =>
  type !== null && FEEDBACK.includes(type) ? type.replace('-', '_') : null;

/** A complaint of a machine is about how the letter was signed or what it held: it blames the sender and suppresses no one. */
function kindOf(report: Report): Delivery['kind'] | null {
  if (report.kind === 'automatic') return null;
  if (report.kind === 'complaint' && !isPersonsComplaint(report)) return 'policy';
  return report.kind;
}
