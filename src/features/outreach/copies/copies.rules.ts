// What is done about one letter's copy in Sent, by what was found there. Pure.
import { after, DAY_MS, HOUR_MS, MINUTE_MS } from '../../../kernel/clock.ts';
import type { Filer } from '../identities/ways/filing.rules.ts';

export type Wanted = {
  send_id: string;
  state: string;
  sent_at: Date | null;
  /** Since when someone said of an uncertain letter that it had not gone. */
  resent_at: Date | null;
  /** Its own Message-ID, and those that a next hop gave it. */
  message_ids: string[];
  looks: number;
};

export type CopyOutcome =
  | { to: 'found' }
  | { to: 'filed' }
  | { to: 'left'; looked: boolean }
  /** Looked for in vain; looked for again then. */
  | { to: 'due'; at: Date };

/** When the copy of an uncertain letter is looked for again, after the first, second … look in vain. */
const LOOKS_MS = [5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 12 * HOUR_MS, DAY_MS, DAY_MS];
/** A mailbox that could not be opened for so long keeps its older letters without copies. */
const TOO_OLD_MS = 7 * DAY_MS;

/** Where a letter that is sent again may be until it has gone; an attempt under way may still be put off. */
const BEFORE_IT_GOES = ['review', 'scheduled', 'held', 'sending'];

/** It is to go once more, and has not: its copy says that it went the first time. */
export const isDoubted = ({ state, resent_at }: Pick<Wanted, 'state' | 'resent_at'>): boolean =>
  resent_at !== null && BEFORE_IT_GOES.includes(state);

/** Whether its folder has to be opened for it at all. */
export function isLookedFor(wanted: Wanted, filer: Filer, now: Date): boolean {
  const { state, sent_at } = wanted;
  if (state === 'uncertain' || isDoubted(wanted)) return true;
  return state === 'sent' && filer === 'product' && sent_at !== null && after(sent_at, TOO_OLD_MS) > now;
}

/** It is in the folder. Of an attempt under way it is said once that one is over: it may be put off, and then it is kept back. */
export const ruleThere = ({ state }: Wanted, now: Date): CopyOutcome =>
  state === 'sending' ? { to: 'due', at: after(now, LOOKS_MS[0] ?? 0) } : { to: 'found' };

/** It isn't in the folder. `file`: it is filed now. */
export function ruleAbsent({ state, looks }: Wanted, now: Date): CopyOutcome | 'file' {
  if (state === 'sent') return 'file';
  const wait = LOOKS_MS[looks];
  return wait === undefined ? { to: 'left', looked: true } : { to: 'due', at: after(now, wait) };
}

/** When a letter that the folder did not take is filed again, after the first, second … time; by then the others are. */
const NOT_TAKEN_MS = [10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS, DAY_MS, DAY_MS];

export function ruleNotTaken({ looks }: Wanted, now: Date): CopyOutcome {
  const wait = NOT_TAKEN_MS[looks];
  return wait === undefined ? { to: 'left', looked: true } : { to: 'due', at: after(now, wait) };
}
