// Copies the steps of one campaign into a new one: with ids of their own, and branches that lead to the copies.
import { json, type Transaction } from '../../../kernel/database.ts';
import { newId } from '../../../kernel/ids.ts';

export async function copySteps(tx: Transaction, from: string, to: string): Promise<void> {
  const steps = await tx<{ id: string; branch: { yes: string | null; no: string | null } | null }[]>`
    select id, branch from sequence_steps where campaign_id = ${from} and removed_at is null order by position`;
  const copies = new Map(steps.map(({ id }) => [id, newId()]));
  const copyOf = (id: string | null): string | null => (id === null ? null : (copies.get(id) ?? null));
  for (const { id, branch } of steps) {
    const copy = copies.get(id) ?? newId();
    const leads = branch && json(tx, { ...branch, yes: copyOf(branch.yes), no: copyOf(branch.no) });
    await tx`
      insert into sequence_steps (id, campaign_id, position, kind, wait_days, wait_hours, subject, text, html, same_thread,
        task, branch)
      select ${copy}, ${to}, position, kind, wait_days, wait_hours, subject, text, html, same_thread, task,
        ${leads}::jsonb
      from sequence_steps where id = ${id}`;
    await tx`
      insert into step_attachments (step_id, attachment_id, position)
      select ${copy}, attachment_id, position from step_attachments where step_id = ${id}`;
  }
}
