// “Test this identity” for incoming mail: opens the folder where replies arrive and reads no mail. Results are our
// own sentences; the host’s words stay out.
import { type ImapOptions, type ImapRung, openImap } from './session.ts';
import { IMAP_SAYS, type ImapTrouble, troubleOf } from './trouble.ts';

type Rung = ImapRung | 'folder';

export type TriedMailbox = {
  rung: `inbound_${Rung}`;
  outcome: 'pass' | 'fail' | 'unknown' | 'skipped';
  sentence: string;
};

const ORDER: readonly Rung[] = ['address', 'connect', 'encryption', 'sign_in', 'folder'];

const PASSED: Record<Rung, string> = {
  address: 'The name of the mailbox’s server leads to an address that may be called.',
  connect: 'The mailbox’s server takes connections.',
  encryption: 'The connection to the mailbox is encrypted, and the certificate is good for that name.',
  sign_in: 'User name and password of the mailbox are accepted.',
  folder: 'The folder that answers come to is there.',
};

/** What may be another in an hour is no verdict. */
const PASSING_BY: readonly ImapTrouble[] = ['dns', 'timeout', 'dropped', 'too_much'];

/** Rungs come in the order in which they were climbed. */
export async function testMailbox(
  options: ImapOptions,
  folder: string,
  signal?: AbortSignal,
): Promise<TriedMailbox[]> {
  const found = await climb(options, folder, signal);
  const failedAt = found ? ORDER.indexOf(found.rung) : ORDER.length;
  return ORDER.map((rung, at): TriedMailbox => {
    const name = `inbound_${rung}` as const;
    if (at < failedAt || !found) return { rung: name, outcome: 'pass', sentence: PASSED[rung] };
    if (at > failedAt)
      return { rung: name, outcome: 'skipped', sentence: 'Not tried, since an earlier step failed.' };
    const outcome = PASSING_BY.includes(found.trouble) ? 'unknown' : 'fail';
    return { rung: name, outcome, sentence: found.sentence ?? IMAP_SAYS[found.trouble] };
  });
}

/** Null: to the top. */
async function climb(
  options: ImapOptions,
  folder: string,
  signal?: AbortSignal,
): Promise<{ rung: Rung; trouble: ImapTrouble; sentence: string | null } | null> {
  const opened = await openImap(options, signal);
  if (!opened.ok) return opened;
  try {
    await opened.session.open(folder);
    return null;
  } catch (error) {
    return { rung: 'folder', trouble: troubleOf(error), sentence: null };
  } finally {
    opened.session.close();
  }
}
