// Gates 6 to 9: the letter, legal requirements, the address, and how much mail this person had.
import type { LetterFacts } from './facts.rules.ts';
import { type Stop, later } from './stop.rules.ts';

/** Soon over: whoever makes it again wakes it by that. */
const REMADE_SOON_MS = 60_000;
/** By then another process may have taken it. */
const OTHER_PROCESS_MS = 60_000;

export function letterStop({ kind, letter, review, instance }: LetterFacts, now: Date): Stop | null {
  // An answer carries no link.
  if (kind !== 'answer' && !instance.is_present)
    return { defer: 'other_address', until: later(now, OTHER_PROCESS_MS) };
  if (letter.being_remade) return { defer: 'being_remade', until: later(now, REMADE_SOON_MS) };
  // No campaign's review is asked of an answer, but what goes is what someone sent who still may.
  if (kind === 'answer' && review.needed && review.approval !== 'standing') return { hold: 'approval_stale' };
  if (letter.unresolved.length > 0)
    return { hold: 'unresolved_variable', evidence: { names: letter.unresolved.slice(0, 20) } };
  if (letter.text.trim() === '' || (letter.subject.trim() === '' && !letter.same_thread))
    return { hold: 'empty_letter' };
  if (letter.unsafe_header) return { hold: 'unsafe_header' };
  return letter.too_large ? { hold: 'letter_too_large' } : null;
}

/** An answer to someone who wrote to us is no advertisement: only letters of our own accord need these. */
export function lawfulStop({ kind, campaign, letter, person }: LetterFacts): Stop | null {
  if (kind === 'answer') return null;
  if (!letter.has_unsubscribe) return { hold: 'missing_unsubscribe' };
  if (campaign && !campaign.has_postal_address) return { hold: 'missing_postal_address' };
  const unfounded = person !== null && (person.basis === 'none' || !person.source);
  // A single letter has no campaign that could do without.
  return (campaign === null || campaign.require_basis) && unfounded ? { hold: 'no_basis' } : null;
}

export function addressStop({ kind, address, campaign, review }: LetterFacts, now: Date): Stop | null {
  // An approval is for one letter to one address.
  if (address.readdressed && review.approval !== 'standing') return { hold: 'address_changed' };
  if (address.unsupported) return { hold: 'address_unsupported' };
  // Someone who wrote to us has an address.
  if (kind === 'answer') return null;
  const policy = campaign?.verification_policy ?? 'not_undeliverable';
  if (policy === 'any') return null;
  if (address.verdict === 'UNDELIVERABLE') return { hold: 'address_undeliverable' };
  if (policy === 'not_undeliverable' || address.verdict === 'DELIVERABLE') return null;
  if (address.verifying) return { defer: 'verifying', until: later(now) };
  return { hold: address.verdict === 'RISKY' ? 'address_risky' : 'address_unknown' };
}

export function loadStop({ person }: LetterFacts, now: Date): Stop | null {
  if (!person) return null;
  if (person.duplicate) return { hold: 'duplicate_in_campaign' };
  const free = person.frequency_free_at;
  return free && free > now ? { defer: 'frequency_cap', until: free } : null;
}
