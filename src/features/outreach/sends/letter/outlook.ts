// When a letter goes, or why it doesn’t, for the letter’s page and for screens that show a letter with a prospect or a campaign.
import type { Reader } from '../../../../kernel/database.ts';
import type { Outlook } from '../contract.ts';
import { factsOf, type LetterApp } from '../gates/facts.store.ts';
import { outlookOf } from './outlook.rules.ts';
import { sendRows } from './send.store.ts';

/** Null where there is no such letter. Asks for no one: the caller has loaded what it belongs to. */
export async function whyNot(
  db: Reader,
  send_id: string,
  now: Date,
  app: LetterApp,
): Promise<Outlook | null> {
  const [row] = await sendRows(db, [send_id]);
  const facts = (await factsOf(db, [send_id], now, app)).get(send_id);
  if (!row || !facts) return null;
  const { goes_at, why_not, gates } = outlookOf(row, facts, now);
  return {
    goes_at: goes_at?.toISOString() ?? null,
    why_not,
    gates: gates.map(({ until, ...gate }) => ({ ...gate, until: until?.toISOString() ?? null })),
  };
}
