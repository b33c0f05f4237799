// What writes the steps of a campaign that was loaded and locked: ids stay, what was taken out stays for its letters, and
// every revision is kept as it was saved.
import type { Author } from '../../../kernel/caller.ts';
import { json, type Reader, type Transaction } from '../../../kernel/database.ts';
import { principalColumns } from '../../../kernel/principal-row.ts';
import { writeFact } from '../campaigns/save.store.ts';
import type { LoadedCampaign } from '../campaigns/store.ts';
import type { SequenceStep } from './contract.ts';
import type { NamedStep } from './rules.ts';

/**
 * Replaces the steps and raises the sequence's revision. `by_wire`: the policy of reviewing goes on standing for these very
 * steps, where it was for the ones before.
 */
export async function saveSteps(
  tx: Transaction,
  campaign: LoadedCampaign,
  before: readonly SequenceStep[],
  steps: readonly NamedStep[],
  { by_wire }: { by_wire: boolean },
  author: Author,
): Promise<number> {
  const revision = campaign.sequence_revision + 1;
  await takeOut(tx, campaign.id, author.now);
  await putIn(tx, campaign.id, steps);
  await keepRevision(tx, campaign.id, revision, steps, author);
  const stood = campaign.review_bound_revision === campaign.sequence_revision;
  await tx`
    update campaigns set sequence_revision = ${revision}, updated_at = ${author.now}
      ${by_wire && stood ? tx`, review_bound_revision = ${revision}` : tx``}
    where id = ${campaign.id}`;
  const gone = before.filter(({ id }) => !steps.some((step) => step.id === id)).map(({ id }) => id);
  await writeFact(
    tx,
    campaign.id,
    'sequence',
    { revision, steps: steps.length, removed: gone, by_wire },
    author,
  );
  return revision;
}

/** Out of the order first, so that no two steps ever have one place. None goes for good: letters and people may hang on it. */
const takeOut = (tx: Transaction, campaign_id: string, now: Date) => tx`
  update sequence_steps set removed_at = ${now} where campaign_id = ${campaign_id} and removed_at is null`;

async function putIn(tx: Transaction, campaign_id: string, steps: readonly NamedStep[]): Promise<void> {
  for (const [position, step] of steps.entries()) {
    const row = {
      id: step.id,
      campaign_id,
      position,
      kind: step.kind,
      wait_days: step.wait.days,
      wait_hours: step.wait.hours,
      subject: step.subject,
      text: step.kind === 'letter' ? (step.text ?? '') : null,
      html: step.html === '' ? null : step.html,
      same_thread: step.same_thread,
      task: step.task && json(tx, step.task),
      branch: step.branch && json(tx, step.branch),
      removed_at: null,
    };
    // Whose step an id is was asked already, under the lock of the campaign; a step of another is never taken over.
    const { id: _, campaign_id: __, ...change } = row;
    await tx`
      insert into sequence_steps ${tx(row)} on conflict (id) do update set ${tx(change)}
      where sequence_steps.campaign_id = ${campaign_id}`;
    await tx`delete from step_attachments where step_id = ${step.id}`;
    const carried = step.attachments.map((attachment_id, at) => ({
      step_id: step.id,
      attachment_id,
      position: at,
    }));
    if (carried.length > 0) await tx`insert into step_attachments ${tx(carried)}`;
  }
}

async function keepRevision(
  tx: Transaction,
  campaign_id: string,
  revision: number,
  steps: readonly unknown[],
  { by, now }: Author,
): Promise<void> {
  const row = {
    campaign_id,
    revision,
    steps: json(tx, steps),
    ...principalColumns(tx, 'by', by),
    at: now,
  };
  await tx`insert into sequence_revisions ${tx(row)}`;
}

/** Steps with their old places, for a kept step whose kind may not change once letters of it exist. */
export async function stepsWithLetters(db: Reader, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db<{ id: string }[]>`
    select s.id from unnest(${[...ids]}::uuid[]) as s (id) where exists (select from sends l where l.step_id = s.id)`;
  return new Set(rows.map(({ id }) => id));
}
