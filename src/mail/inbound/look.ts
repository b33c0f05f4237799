// Reads one incoming mail: what a machine reports in it, or else what it says. Pure.
import { readReports } from '../reports/read.ts';
import type { ReadReport } from '../reports/report.ts';
import type { ReadMail } from './mail.ts';
import { readBriefly, readMail } from './read.ts';

/** `letter`: whatever it is, it is read as a letter. */
export type Sought = 'anything' | 'letter';

/** `addressed_to`: every address that a header says it was delivered to; empty where a letter was sought. */
export type Looked =
  | { kind: 'report'; report: ReadReport }
  | { kind: 'letter'; mail: ReadMail; addressed_to: string[] };

const REPORTS: readonly string[] = ['bounce', 'complaint', 'receipt'];

export async function look(bytes: Uint8Array, sought: Sought, cut: boolean): Promise<Looked> {
  const report = sought === 'letter' ? null : await readReports(bytes);
  if (report && REPORTS.includes(report.kind)) return { kind: 'report', report };
  return { kind: 'letter', mail: await readMail(bytes, cut), addressed_to: report?.addressed_to ?? [] };
}

/** A letter that takes too long to read: who wrote it, and how it begins. Whether it is a report stays open. */
export const lookBriefly = async (bytes: Uint8Array): Promise<Looked> => ({
  kind: 'letter',
  mail: await readBriefly(bytes),
  addressed_to: [],
});
