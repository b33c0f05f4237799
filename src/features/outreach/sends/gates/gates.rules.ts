// Whether a letter may leave at this moment: fifteen gates in a fixed order over facts that were read in one moment
// (domain.md §1.5). Pure. The first that does not pass decides; a screen lists them all. The sender asks again right before
// the final dot, so that no path reaches `sending` with a gate that fails then.
import { addressStop, letterStop, loadStop, lawfulStop } from './letter.gates.rules.ts';
import { clockStop, domainStop, identityStop, volumeStop } from './sender.gates.rules.ts';
import type { LetterFacts } from './facts.rules.ts';
import { LOOK_AGAIN_PAUSED_MS, type Stop, later } from './stop.rules.ts';

/** Numbered as in domain.md §1.5. */
export type GateName = (typeof GATES)[number]['gate'];

export type GateVerdict = { gate: GateName; stop: Stop | null; skipped: boolean };

type Gate = { gate: string; answers: boolean; stop: (facts: LetterFacts, now: Date) => Stop | null };

/** `answers`: whether the gate holds for an answer to someone who wrote to us. */
const GATES = [
  { gate: 'suppressed', answers: true, stop: suppressedStop },
  {
    gate: 'prospect',
    answers: false,
    stop: ({ prospect }) => (prospect?.ended ? { cancel: prospect.ended } : null),
  },
  { gate: 'prospect_hold', answers: false, stop: holdStop },
  { gate: 'campaign', answers: false, stop: campaignStop },
  { gate: 'review', answers: false, stop: reviewStop },
  { gate: 'letter', answers: true, stop: letterStop },
  { gate: 'lawful', answers: true, stop: lawfulStop },
  { gate: 'address', answers: true, stop: addressStop },
  { gate: 'person_load', answers: false, stop: loadStop },
  { gate: 'identity', answers: true, stop: identityStop },
  { gate: 'domain', answers: true, stop: domainStop },
  { gate: 'campaign_volume', answers: false, stop: volumeStop },
  { gate: 'clock', answers: false, stop: clockStop },
  { gate: 'transport', answers: true, stop: transportStop },
  { gate: 'instance', answers: true, stop: instanceStop },
] as const satisfies readonly Gate[];

export const GATE_NAMES = GATES.map(({ gate }) => gate) as [GateName, ...GateName[]];

/** Every gate in order, with what it says. */
export const allGates = (facts: LetterFacts, now: Date): GateVerdict[] =>
  GATES.map(({ gate, answers, stop }) => {
    // A letter without a sender has nothing to ask this gate about, and that is not a yes.
    const unasked = gate === 'domain' && facts.domain === null;
    const skipped = unasked || (facts.kind === 'answer' && !answers);
    return { gate, skipped, stop: skipped ? null : stop(facts, now) };
  });

/** The first gate that does not pass; null: the letter may leave now. */
export function gates(facts: LetterFacts, now: Date): { gate: GateName; stop: Stop } | null {
  for (const { gate, answers, stop } of GATES) {
    if (facts.kind === 'answer' && !answers) continue;
    const found = stop(facts, now);
    if (found) return { gate, stop: found };
  }
  return null;
}

/** An answer may go to someone who unsubscribed and then wrote to us; a complaint always holds. */
function suppressedStop({ kind, suppression, copy_suppression }: LetterFacts): Stop | null {
  const copy: Stop | null = copy_suppression && {
    hold: 'suppressed',
    evidence: { ...copy_suppression, copy: true },
  };
  if (!suppression) return copy;
  const wroteSince = kind === 'answer' && suppression.reason === 'unsubscribe' && suppression.wrote_since;
  if (wroteSince) return copy;
  return {
    hold: 'suppressed',
    evidence: { reason: suppression.reason, since: suppression.since, via: suppression.via },
  };
}

function holdStop({ prospect, letter }: LetterFacts, now: Date): Stop | null {
  if (letter.on_hold) return { hold: 'letter_on_hold', evidence: { note: letter.on_hold.note } };
  const hold = prospect?.hold;
  if (!hold) return null;
  if (hold.until === null) return { hold: 'prospect_on_hold', evidence: { reason: hold.reason } };
  return hold.until > now ? { defer: 'out_of_office', until: hold.until } : null;
}

function campaignStop({ campaign }: LetterFacts, now: Date): Stop | null {
  if (!campaign) return null;
  if (campaign.state !== 'archived' && campaign.eased.length > 0)
    return { hold: 'campaign_eased', evidence: { settings: campaign.eased } };
  if (campaign.state === 'active') return null;
  if (campaign.state === 'archived') return { cancel: 'campaign_archived' };
  if (campaign.paused_reason?.startsWith('guardrail_'))
    return { hold: 'campaign_not_active', evidence: { paused_reason: campaign.paused_reason } };
  return { defer: 'campaign_paused', until: later(now, LOOK_AGAIN_PAUSED_MS) };
}

function reviewStop({ review }: LetterFacts): Stop | null {
  if (review.approval === 'standing') return null;
  if (review.approval === 'stale') return { hold: 'approval_stale' };
  if (!review.needed) return null;
  return { hold: review.confirmation === 'stale' ? 'review_confirmation_stale' : 'approval_stale' };
}

function transportStop({ identity, transport, backoff }: LetterFacts, now: Date): Stop | null {
  if (identity?.trouble) return { hold: 'transport_refused', evidence: identity.trouble };
  const { wait } = transport;
  const down = backoff?.down && backoff.down.until > now ? backoff.down : null;
  // The later one: a letter's own wait may be over while the server is known to be down.
  if (down && !(wait && wait.until > down.until))
    return { defer: 'transport_down', until: down.until, evidence: { cause: down.cause, since: down.since } };
  return wait && wait.until > now ? { defer: wait.why, until: wait.until } : null;
}

function instanceStop({ instance, identity }: LetterFacts): Stop | null {
  if (!instance.sending) return { hold: 'sending_disabled' };
  // What stays in the built-in sink is opened by no one.
  if (identity?.transport === 'sandbox') return null;
  if (instance.development) return { hold: 'development_mode' };
  return instance.reachable ? null : { hold: 'base_url_local' };
}
