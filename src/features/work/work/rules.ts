// What may happen to a work item, as pure rules. Handlers throw these refusals; screens show their sentences on disabled
// buttons.
import { type Caller, isAgent, nameOf, sameWorker } from '../../../kernel/caller.ts';
import { shortTime } from '../../../kernel/clock.ts';
import { Refusal, changedSince, conflict, invalid } from '../../../kernel/refusal.ts';
import type { Card, Status } from './contract.ts';

/** A claim lasts this long, and every write of its holder renews it (domain.md §1.10). */
export const LEASE_MS = 30 * 60_000;

/** Who touches a card. A worker is (kind, id): two tokens of one person are two workers. */
export type Worker = { kind: string; id: string; agent: boolean };

export const workerOf = (caller: Caller): Worker => ({ ...caller.principal, agent: isAgent(caller) });

type Claim = NonNullable<Card['claim']>;
type Held = { key: string; claim: Claim | null };

/*
 * The status of a card. Every status leads to every other, with two exceptions around the review.
 *
 *   asked for      by an agent              by a person
 *   done           parks                    parks where review is needed or an approval waits, else lands
 *   in_review      parks                    parks
 *   the same       stays                    stays
 *   anything else  lands                    lands
 *
 * Parking: the status is in_review and one approval waits; where one waits already it stays the one. A move to done that
 * parks is announced (work.review_parked), once for each time the card is parked; a plain move to in_review is not.
 * An agent's move to done parks from done itself as well. Landing out of in_review withdraws the approval that waited.
 */
export type Ruling =
  | { kind: 'stays' }
  | { kind: 'lands'; withdraws: boolean }
  | { kind: 'parks'; opens: boolean; announces: boolean };

export function ruleMove(
  item: { status: Status; needs_review: boolean },
  to: Status,
  by: { agent: boolean },
): Ruling {
  const waits = item.status === 'in_review';
  if (to === 'done' && (by.agent || waits || (item.needs_review && item.status !== 'done')))
    return { kind: 'parks', opens: !waits, announces: true };
  if (to === item.status) return { kind: 'stays' };
  if (to === 'in_review') return { kind: 'parks', opens: true, announces: false };
  return { kind: 'lands', withdraws: waits };
}

/** Work that is over: no one holds it, and what it blocked goes on. */
export const isOver = (status: Status): boolean => status === 'done' || status === 'cancelled';

/** Where a card arrives in a column that it is moved to: finished work on top, where the newest is seen; a queue at its end. */
export const arrivesOnTop = (status: Status): boolean => isOver(status);

/** The claim that holds at this moment, or null: an expired one is none. */
export function liveClaim(item: { claim: Claim | null }, now: Date): Claim | null {
  return item.claim && new Date(item.claim.expires_at) > now ? item.claim : null;
}

const heldBySentence = (item: Held, claim: Claim): string =>
  `${item.key} is held by ${claim.holder.name} (${claim.holder.kind === 'person' ? 'person' : 'token'}), until ${shortTime(new Date(claim.expires_at))}`;

/** An agent leaves alone what another worker holds; a person is not stopped by a claim. */
export function refusedAsHeld(item: Held, by: Worker, now: Date): Refusal | null {
  const claim = liveClaim(item, now);
  if (!claim || !by.agent || sameWorker(claim.holder, by)) return null;
  return conflict(heldBySentence(item, claim));
}

/** Re-read before you write: the guard of every change that names the revision it was made on. */
export function refusedAsStale(
  item: { key: string; revision: number },
  read: number | undefined,
): Refusal | null {
  if (read === undefined || read === item.revision) return null;
  return changedSince(`item ${item.key}`, item.revision);
}

/** What a claim comes to, for whoever claimed: it moves no card. */
export function claimSays({ key, status, claim }: Held & { status: Status }): string {
  const until = claim ? ` until ${shortTime(new Date(claim.expires_at))}` : '';
  const next = status === 'in_progress' ? '' : ': move it to in_progress when you start';
  return `${key} is yours${until}. A claim doesn’t move a card, so it stays in ${status}${next}.`;
}

export type Claiming =
  | { kind: 'takes' }
  | { kind: 'renews' }
  | { kind: 'breaks' }
  | { kind: 'refused'; refusal: Refusal };

/** A claim is refused while another worker holds the card; only a person who says so breaks it. */
export function ruleClaim(item: Held & { status: Status }, by: Worker, now: Date, breaks: boolean): Claiming {
  const claim = liveClaim(item, now);
  if (claim && sameWorker(claim.holder, by)) return { kind: 'renews' };
  if (claim && !breaks) return { kind: 'refused', refusal: conflict(heldBySentence(item, claim)) };
  if (claim && by.agent)
    return {
      kind: 'refused',
      refusal: new Refusal(
        403,
        'people_only',
        `${heldBySentence(item, claim)}: only a person can break a claim`,
      ),
    };
  if (isOver(item.status))
    return {
      kind: 'refused',
      refusal: conflict(`${item.key} is ${item.status}: move it back before you claim it`),
    };
  return claim ? { kind: 'breaks' } : { kind: 'takes' };
}

/** An agent takes no more work from a project whose people are behind with their reviews. */
export function refusedByReviewLimit(
  project: { key: string; review_limit: number },
  parked: number,
  by: Worker,
): Refusal | null {
  if (!by.agent || parked < project.review_limit) return null;
  const items = parked === 1 ? '1 item of' : `${parked} items of`;
  return conflict(
    `${items} ${project.key} ${parked === 1 ? 'is' : 'are'} in review and its limit is ${project.review_limit}: a person must decide before agents claim more`,
    { waiting: parked },
  );
}

/** An agent can ask for a review, never waive one. */
export function refusedToWaiveReview(
  required: boolean,
  asked: boolean | undefined,
  by: Worker,
): Refusal | null {
  if (asked !== false || !required || !by.agent) return null;
  const says = 'needs_review can only be set to true on an agent turn: a person can set it to false';
  return new Refusal(403, 'people_only', says, { fields: { needs_review: says } });
}

/** A card that waits for a decision does not vanish under the person who decides. */
export function refusedToDelete(item: { key: string; status: Status }, by: Worker): Refusal | null {
  if (!by.agent || item.status !== 'in_review') return null;
  return new Refusal(
    403,
    'people_only',
    `${item.key} is in review: only a person can decide on it or delete it`,
  );
}

/** Whoever wrote a comment edits it; they or an administrator in person delete it. */
export function refusedOnComment(
  author: { kind: string; id: string },
  caller: Caller,
  does: 'edit' | 'delete',
): Refusal | null {
  if (sameWorker(author, caller.principal)) return null;
  if (does === 'delete' && caller.rights.admin && !isAgent(caller)) return null;
  const who =
    does === 'edit'
      ? 'only a comment’s author can edit it'
      : 'only a comment’s author or an administrator can delete it';
  return new Refusal(403, 'policy_denied', `${who}, not "${nameOf(caller)}"`);
}

/** Everything of an item must fit into one answer of a tool (specification §8: 48,000 characters). */
export const ITEM_MAX_CHARS = 40_000;

export function refusedAsTooLarge(item: {
  description: string;
  links: unknown;
  custom: unknown;
}): Refusal | null {
  const chars = JSON.stringify([item.description, item.links, item.custom]).length;
  if (chars <= ITEM_MAX_CHARS) return null;
  const says = `description, links and custom fields are ${chars} characters of JSON and the limit is ${ITEM_MAX_CHARS}: move some of it into comments`;
  return invalid(says, { description: says });
}
