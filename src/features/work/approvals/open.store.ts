// Opens and closes approvals for other features, in their transaction and with their record locked.
import type { Principal } from '../../../kernel/caller.ts';
import type { Transaction } from '../../../kernel/database.ts';
import { knownPrincipalIn } from '../../../kernel/principal-row.ts';
import { closeApproval, insertApproval, type Opening } from './approval-states.store.ts';

export type { Opening };

export async function openApproval(
  tx: Transaction,
  opening: Opening,
  requested_by: Principal,
  now: Date,
): Promise<void> {
  await insertApproval(tx, opening, requested_by, null, now);
}

/** The approval of a thing was undone: another one waits where that one did, and the world is told of no new one. */
export async function reopenApproval(
  tx: Transaction,
  opening: Opening,
  { requested_by, created_at }: { requested_by: Principal; created_at: string },
): Promise<void> {
  const since = new Date(created_at);
  await insertApproval(tx, opening, requested_by, since, since);
}

/**
 * Closes the open approval of a thing that changed and opens one for its new revision. Who asked for the review stays who
 * asked; the world has heard of it already, or never was told.
 */
export async function supersedeApproval(
  tx: Transaction,
  opening: Opening,
  by: Principal,
  now: Date,
): Promise<void> {
  const closed = await closeApproval(tx, opening.subject.id, 'supersede', by, now);
  if (!closed) throw new Error('what is in review has no open approval');
  await insertApproval(tx, opening, knownPrincipalIn(closed, 'requested_by'), closed.announced_at, now);
}

/** Another approval for the same is about to be opened, of a subject of its own. Gives the id of what was open. */
export async function replaceApproval(
  tx: Transaction,
  subject: { id: string },
  by: Principal,
  now: Date,
): Promise<string | null> {
  return (await closeApproval(tx, subject.id, 'supersede', by, now))?.id ?? null;
}

/** The thing was moved out of review, or is about to be deleted. Gives the id of what was open. */
export async function withdrawApproval(
  tx: Transaction,
  subject: { id: string },
  by: Principal,
  now: Date,
): Promise<string | null> {
  return (await closeApproval(tx, subject.id, 'withdraw', by, now))?.id ?? null;
}

/** True once for each parking: whoever gets it tells the world. */
export async function takeAnnouncement(
  tx: Transaction,
  subject: { id: string },
  now: Date,
): Promise<boolean> {
  const rows = await tx`
    update approvals set announced_at = ${now}
    where subject_id = ${subject.id} and state = 'pending' and announced_at is null returning id`;
  return rows.length > 0;
}
