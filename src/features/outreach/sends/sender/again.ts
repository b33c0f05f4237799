// A letter that a vendor may have already, asked about again under its key. Nothing that happens now says that it was not
// taken the first time: it is sent, refused by the vendor, asked about once more, or left for a person to say.
import { MINUTE_MS, after } from '../../../../kernel/clock.ts';
import type { LetterFacts } from '../gates/facts.rules.ts';
import { gates } from '../gates/gates.rules.ts';
import type { Settlement } from './outcome.ts';

const ASK_AGAIN_MS = 5 * MINUTE_MS;
/** Waits that are of the clock and of volume: the letter counted when it started. */
const KEEPS_BACK = ['campaign_paused', 'out_of_office'];

/** Whether it may be posted once more: where a gate is shut by now, a second post could be the one that sends it. */
export function mayAskAgain(facts: LetterFacts, now: Date): boolean {
  const shut = gates(facts, now);
  if (!shut) return true;
  return 'defer' in shut.stop && !KEEPS_BACK.includes(shut.stop.defer);
}

export function settlementOfAsking(settlement: Settlement, now: Date): Settlement {
  const known = ['sent', 'failed', 'asked_again', 'uncertain'].includes(settlement.to);
  return known
    ? settlement
    : { to: 'asked_again', at: after(now, ASK_AGAIN_MS), backoff: settlement.backoff };
}
