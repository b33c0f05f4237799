// Opens and closes approvals for the features whose things wait: in their transaction, with their thing locked. One approval
// of a thing is open at a time; the schema holds that too.
import type { Principal } from '../../../kernel/caller.ts';
import type { Transaction } from '../../../kernel/ground.ts';
import { knownPrincipalIn, type PrincipalColumns, principalColumns } from '../../../kernel/principal-row.ts';
import type { Approval } from './contract.ts';

/** The thing as it stands at this revision, and who wrote it: they never decide it. */
export type Opening = {
  id: string;
  kind: Approval['kind'];
  subject: Approval['subject'];
  project_id: string | null;
  author: Principal;
};

export async function openApproval(
  tx: Transaction,
  opening: Opening,
  requested_by: Principal,
  now: Date,
): Promise<void> {
  await insert(tx, opening, requested_by, null, now);
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
  const closed = await close(tx, opening.subject.id, 'superseded', by, now);
  if (!closed) throw new Error('what is in review has no open approval');
  await insert(tx, opening, knownPrincipalIn(closed, 'requested_by'), closed.announced_at, now);
}

/** Another approval for the same is about to be opened, of a subject of its own. Gives the id of what was open. */
export async function replaceApproval(
  tx: Transaction,
  subject: { id: string },
  by: Principal,
  now: Date,
): Promise<string | null> {
  return (await close(tx, subject.id, 'superseded', by, now))?.id ?? null;
}

/** The thing was moved out of review, or is about to be deleted. Gives the id of what was open. */
export async function withdrawApproval(
  tx: Transaction,
  subject: { id: string },
  by: Principal,
  now: Date,
): Promise<string | null> {
  return (await close(tx, subject.id, 'withdrawn', by, now))?.id ?? null;
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

type Closed = PrincipalColumns<'requested_by'> & { id: string; announced_at: Date | null };

async function close(
  tx: Transaction,
  subject_id: string,
  state: 'withdrawn' | 'superseded',
  by: Principal,
  now: Date,
): Promise<Closed | null> {
  const [row] = await tx<Closed[]>`
    update approvals set ${tx({ state, decided_at: now, ...principalColumns(tx, 'decided_by', by) })}
    where subject_id = ${subject_id} and state = 'pending'
    returning id, requested_by_kind, requested_by_id, requested_by_name, requested_by_on_behalf_of, announced_at`;
  return row ?? null;
}

async function insert(
  tx: Transaction,
  opening: Opening,
  requested_by: Principal,
  announced_at: Date | null,
  now: Date,
): Promise<void> {
  const { id, kind, subject, project_id, author } = opening;
  await tx`insert into approvals ${tx({
    id,
    kind,
    subject_kind: subject.kind,
    subject_id: subject.id,
    subject_key: subject.key,
    subject_title: subject.title,
    subject_revision: subject.revision,
    project_id,
    ...principalColumns(tx, 'requested_by', requested_by),
    ...principalColumns(tx, 'author', author),
    state: 'pending',
    announced_at,
    created_at: now,
  })}`;
}
