// The one file that writes an approval's state: opened as pending, decided by a person, or closed with its thing
// (approval-states.rules.ts says from where to where). One approval of a thing is open at a time; the schema holds that too.
import type { Principal } from '../../../kernel/caller.ts';
import type { Transaction } from '../../../kernel/database.ts';
import { type PrincipalColumns, principalColumns } from '../../../kernel/principal-row.ts';
import { sets, stands } from '../../../store/machine.ts';
import { APPROVAL, type ApprovalAct } from './approval-states.rules.ts';
import type { Approval } from './contract.ts';
import type { Decision } from './rules.ts';

/** The thing as it is at this revision, and who wrote it: they never decide it. */
export type Opening = {
  id: string;
  kind: Approval['kind'];
  subject: Approval['subject'];
  project_id: string | null;
  author: Principal;
};

export async function insertApproval(
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

const acted = (tx: Transaction, act: ApprovalAct, given: Record<string, unknown>, now: Date) => ({
  set: sets(tx, APPROVAL, act, given, now),
  may: stands<Approval['state']>(tx, APPROVAL.acts[act], given, now),
});

/** False where someone else was first, or its thing is another by now. The schema itself refuses an agent and the author. */
export async function decideApproval(
  tx: Transaction,
  approval: { id: string; subject: Pick<Approval['subject'], 'revision'> },
  decision: Decision,
  note: string | undefined,
  by: Principal,
  now: Date,
): Promise<boolean> {
  const given = { ...principalColumns(tx, 'decided_by', by), note: note ?? null };
  const { set, may } = acted(tx, decision, given, now);
  const decided = await tx`
    update approvals set ${set}
    where id = ${approval.id} and ${may} and subject_revision = ${approval.subject.revision} returning id`;
  return decided.length > 0;
}

export type Closed = PrincipalColumns<'requested_by'> & { id: string; announced_at: Date | null };

/** What was open of this thing; null where nothing was. */
export async function closeApproval(
  tx: Transaction,
  subject_id: string,
  act: 'withdraw' | 'supersede',
  by: Principal,
  now: Date,
): Promise<Closed | null> {
  const { set, may } = acted(tx, act, principalColumns(tx, 'decided_by', by), now);
  const [row] = await tx<Closed[]>`
    update approvals set ${set} where subject_id = ${subject_id} and ${may}
    returning id, requested_by_kind, requested_by_id, requested_by_name, requested_by_on_behalf_of, announced_at`;
  return row ?? null;
}
