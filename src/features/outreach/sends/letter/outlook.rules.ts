// When a letter goes, or why it doesn’t, at every moment of its life, with all fifteen gates. Pure, from the facts of one
// moment.
import { MINUTE_MS, SECOND_MS } from '../../../../kernel/clock.ts';
import type { LetterFacts } from '../gates/facts.rules.ts';
import { allGates, type GateVerdict } from '../gates/gates.rules.ts';
import { HOLDS, holdText, type ReasonText, TURNS, WAITS, waitText, type Who } from './reasons.rules.ts';
import type { LetterState } from './send.rules.ts';
import { clockStop } from '../gates/sender.gates.rules.ts';

export type WhyNot = { reason: string; sentence: string; fix: string; who: Who | null };

export type GateSays = {
  gate: GateVerdict['gate'];
  verdict: 'pass' | 'wait' | 'hold' | 'over' | 'skipped';
  reason: string | null;
  sentence: string | null;
  fix: string | null;
  who: Who | null;
  until: Date | null;
  evidence: Record<string, unknown>;
};

export type Seen = { goes_at: Date | null; why_not: WhyNot | null; gates: GateSays[] };

const IN_REVIEW: WhyNot = {
  reason: 'in_review',
  sentence: 'It waits for approval.',
  fix: 'Approve it, return it or reject it.',
  who: 'person',
};

const DRAFTED: WhyNot = {
  reason: 'drafted',
  sentence: 'It is a draft.',
  fix: 'Edit it to send it to review.',
  who: 'person',
};

const UNCERTAIN: WhyNot = {
  reason: 'uncertain',
  sentence: 'Sending was interrupted, so it’s not known whether the letter was sent.',
  fix: 'This resolves automatically when a copy in Sent, a reply or a bounce arrives. Otherwise, say whether it was sent.',
  who: 'person',
};

/** So long after its hour a letter that has not left has a reason, whatever it is. */
export const OVERDUE_MS = 3 * SECOND_MS;
/** A process looks every two seconds, and says so every fifteen. */
const NOBODY_LOOKS_MS = 2 * MINUTE_MS;

const over = (reason: string, sentence: string): WhyNot => ({
  reason,
  sentence,
  fix: 'Draft another letter if you want one.',
  who: null,
});

/** Null facts: those of a letter that is gone from the database between two looks. */
export function outlookOf(letter: LetterState, facts: LetterFacts, now: Date): Seen {
  const verdicts = allGates(facts, now);
  const unread = letter.state === 'review' || letter.state === 'drafted';
  const gates = verdicts.map((verdict) => gateSays(verdict, unread));
  return { ...ahead(letter, facts, verdicts, now), gates };
}

function ahead(
  letter: LetterState,
  facts: LetterFacts,
  verdicts: readonly GateVerdict[],
  now: Date,
): Omit<Seen, 'gates'> {
  const reason = (why_not: WhyNot) => ({ goes_at: null, why_not });
  const time = (goes_at: Date) => ({ goes_at, why_not: null });
  switch (letter.state) {
    case 'drafted':
      return reason(suppressedIn(verdicts) ?? DRAFTED);
    case 'review':
      return reason(suppressedIn(verdicts) ?? IN_REVIEW);
    case 'sending': {
      const goes_at = letter.sending_at ?? now;
      const isLong = now.getTime() - goes_at.getTime() > OVERDUE_MS;
      return { goes_at, why_not: isLong ? told('being_sent', TURNS.being_sent) : null };
    }
    case 'sent':
      return time(letter.sent_at ?? now);
    case 'uncertain':
      return reason(UNCERTAIN);
    case 'failed':
      return reason({
        reason: letter.failed_reason ?? 'failed',
        sentence: 'It failed: the other side did not take it.',
        fix: 'Fix the cause and send it again, or draft another letter.',
        who: 'person',
      });
    case 'cancelled':
      return reason(over(letter.cancel_reason ?? 'cancelled', 'The letter was canceled.'));
    case 'held':
      return reason(
        letter.hold_reason
          ? told(letter.hold_reason, holdText(letter.hold_reason, letter.hold_evidence ?? {}))
          : told('approval_stale', HOLDS.approval_stale),
      );
    case 'scheduled':
      return scheduled(letter, facts, verdicts, now);
  }
}

/** No one is asked to approve in vain: that its address is suppressed comes before that someone is to read it. */
function suppressedIn(verdicts: readonly GateVerdict[]): WhyNot | null {
  const stop = verdicts.find(({ gate }) => gate === 'suppressed')?.stop;
  return stop && 'hold' in stop ? told(stop.hold, HOLDS[stop.hold]) : null;
}

/** What only someone can lift is a reason; what time opens is the latest of the times, and the hours that are open then. */
function scheduled(
  letter: LetterState,
  facts: LetterFacts,
  verdicts: readonly GateVerdict[],
  now: Date,
): Omit<Seen, 'gates'> {
  const due = [letter.scheduled_for, letter.not_before].flatMap((at) => (at ? [at.getTime()] : []));
  let at = Math.max(now.getTime(), ...due);
  for (const { stop } of verdicts) {
    if (!stop) continue;
    if ('cancel' in stop)
      return { goes_at: null, why_not: over(stop.cancel, 'It is called off when it is due.') };
    if ('hold' in stop)
      return { goes_at: null, why_not: told(stop.hold, holdText(stop.hold, stop.evidence ?? {})) };
    const waits: ReasonText = WAITS[stop.defer];
    if (waits.who !== 'time') return { goes_at: null, why_not: told(stop.defer, waits) };
    at = Math.max(at, stop.until.getTime());
  }
  const asleep = facts.backoff?.asleep ?? null;
  if (asleep) at = Math.max(at, asleep.until.getTime());
  // By then the hours may be closed again: the clock is asked of that moment.
  const then = facts.kind === 'answer' ? null : clockStop(facts, new Date(at));
  if (then && 'hold' in then) return { goes_at: null, why_not: told(then.hold, HOLDS[then.hold]) };
  const isDue = letter.scheduled_for !== null && now.getTime() - letter.scheduled_for.getTime() > OVERDUE_MS;
  const why_not = isDue ? whyOverdue(letter, facts, verdicts, now) : null;
  if (why_not?.reason === 'no_sender') return { goes_at: null, why_not };
  return { goes_at: then && 'defer' in then ? then.until : new Date(at), why_not };
}

/** What keeps a letter whose hour is over: the latest of what it waits for, or where it is in the hands of the sender. */
function whyOverdue(
  { not_before, waiting_for }: LetterState,
  { backoff }: LetterFacts,
  verdicts: readonly GateVerdict[],
  now: Date,
): WhyNot {
  const waits = verdicts
    .flatMap(({ stop }) => (stop && 'defer' in stop ? [stop] : []))
    .toSorted((a, b) => b.until.getTime() - a.until.getTime());
  const [last] = waits;
  if (last) return told(last.defer, waitText(last.defer, last.evidence ?? {}));
  if (not_before && not_before > now && waiting_for) return told(waiting_for, waitText(waiting_for, {}));
  if (backoff?.asleep && backoff.asleep.until > now)
    return told(backoff.asleep.why, waitText(backoff.asleep.why, {}));
  if (backoff?.in_hand_until) return told('being_sent', TURNS.being_sent);
  if (backoff?.looked_at && now.getTime() - backoff.looked_at.getTime() > NOBODY_LOOKS_MS)
    return told('no_sender', TURNS.no_sender);
  return backoff?.busy ? told('in_line', TURNS.in_line) : told('soon', TURNS.soon);
}

const told = (reason: string, { says, fix, who }: ReasonText): WhyNot => ({
  reason,
  sentence: says,
  fix,
  who,
});

function gateSays({ gate, stop, skipped }: GateVerdict, unread: boolean): GateSays {
  const open = { reason: null, sentence: null, fix: null, who: null, until: null, evidence: {} };
  if (skipped) return { ...open, gate, verdict: 'skipped' };
  if (!stop) return { ...open, gate, verdict: 'pass' };
  if ('cancel' in stop)
    return {
      ...open,
      gate,
      verdict: 'over',
      reason: stop.cancel,
      sentence: 'The letter is over: nothing lifts this.',
    };
  const evidence = stop.evidence ?? {};
  if ('hold' in stop) {
    const why = unread && gate === 'review' ? IN_REVIEW : told(stop.hold, holdText(stop.hold, evidence));
    return { ...open, ...why, gate, verdict: 'hold', evidence };
  }
  return {
    ...open,
    ...told(stop.defer, waitText(stop.defer, evidence)),
    gate,
    verdict: 'wait',
    until: stop.until,
    evidence,
  };
}
