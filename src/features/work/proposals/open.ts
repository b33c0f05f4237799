// Opens a proposal and its approval in one transaction.
import type { Principal } from '../../../kernel/caller.ts';
import type { Sealer } from '../../../kernel/app.ts';
import type { Transaction } from '../../../kernel/database.ts';
import { newId } from '../../../kernel/ids.ts';
import { openApproval } from '../approvals/open.store.ts';
import { insertProposal, type NewProposal } from './proposals.store.ts';

const TITLE_MAX = 300;

export type Opened = Omit<NewProposal, 'id' | 'approval_id'> & {
  /** Acts of a chat are known as such; everything else is a `proposal`. */
  kind: 'proposal' | 'chat_action';
  /** Who wrote it: they never decide it. */
  author: Principal;
};

export async function openProposal(
  tx: Transaction,
  sealer: Sealer,
  { kind, author, ...proposal }: Opened,
  now: Date,
): Promise<{ id: string; approval_id: string }> {
  const [id, approval_id] = [newId(), newId()];
  const title =
    proposal.steps === null
      ? `${proposal.operation} ${JSON.stringify(proposal.shown)}`.toWellFormed().replaceAll('\0', '')
      : `A plan of ${proposal.steps} acts`;
  const subject = {
    kind,
    id,
    key: proposal.operation,
    title: title.length > TITLE_MAX ? `${title.slice(0, TITLE_MAX - 1).toWellFormed()}…` : title,
    revision: 1,
  };
  await openApproval(tx, { id: approval_id, kind, subject, project_id: null, author }, author, now);
  await insertProposal(tx, sealer, { ...proposal, id, approval_id }, now);
  return { id, approval_id };
}
