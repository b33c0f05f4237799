// What the readers make of one case, and in which ways it is another thing than what was expected.
import { readMail } from '../../../src/mail/inbound/read.ts';
import type { ReadMail } from '../../../src/mail/inbound/mail.ts';
import { readingByRule } from '../../../src/mail/inbound/reading.ts';
import { readReports } from '../../../src/mail/reports/read.ts';
import type { Case, Kind } from './corpus/case.ts';

export type Measured = {
  name: string;
  kind: Kind;
  reading: string;
  expected: Case['expected'];
  differences: string[];
};

export async function measure({ name, raw, expected }: Case): Promise<Measured> {
  const found = await readReports(raw);
  const mail = await readMail(raw);
  const kind = kindOf(found.kind, mail);
  const isReport = kind === 'bounce' || kind === 'complaint' || kind === 'receipt';
  const reading = isReport ? 'unread' : readingByRule(mail).reading;
  const got: Record<string, unknown> = {
    kind,
    reading,
    in_reply_to: mail.in_reply_to,
    references: mail.references.length,
    quoted_ids: mail.quoted_ids,
    stripped: mail.text_stripped,
    stripped_whole: mail.stripped_whole,
    returns_on: mail.returns_on,
    reports: found.reports.map((each) => ({ kind: each.kind, recipient: each.recipient })),
  };
  const differences = Object.entries(expected)
    .map(([fact, want]) => [fact, JSON.stringify(want), JSON.stringify(got[fact])] as const)
    .filter(([, want, is]) => want !== is)
    .map(([fact, want, is]) => `${fact}: expected ${want}, got ${is}`);
  return { name, kind, reading, expected, differences };
}

function kindOf(report: string, mail: ReadMail): Kind {
  if (report === 'bounce' || report === 'complaint' || report === 'receipt') return report;
  if (mail.calendar !== null) return 'calendar';
  if (mail.automatic !== null) return 'automatic';
  return mail.forwarded ? 'forwarded' : 'person';
}
