// All SQL of the pass that works on runs: claiming due runs, saving step results, and finding runs whose process
// died. Everything is fenced by the lease.
import { createHash } from 'node:crypto';
import { after, HOUR_MS } from '../../../../kernel/clock.ts';
import { json, type Reader, type Transaction } from '../../../../kernel/database.ts';
import { newId } from '../../../../kernel/ids.ts';
import { fullSlots, type Hands, type Lease } from '../../../../kernel/pass.ts';
import { knownPrincipalIn, type PrincipalColumns, principalIn } from '../../../../kernel/principal-row.ts';
import { openApproval } from '../../../work/approvals/open.store.ts';
import { notify } from '../../../access/notifications/store.ts';
import type { WorkflowStep } from '../contract.ts';
import { becomes, type Outcome } from './machine.rules.ts';
import { beginSteps, giveBack, runsDo, stall, stepsDo, takeRuns } from './run-states.store.ts';
import type { Acting } from './whom.ts';

/** A run that is due, with the step it is at. */
export type DueRun = {
  id: string;
  seq: number;
  step_row: string;
  at_step: string;
  /** What the step waits for, where it has waited. */
  waits: Record<string, unknown> | null;
  attempt: number;
  /** Its first attempt: the same however often it is tried. */
  begun_at: Date;
  trigger: Record<string, unknown>;
  step: WorkflowStep | null;
  version: number;
  acting: Acting;
};

/** A letter in a transaction is written with its step's end or not at all. */
export type Beside = {
  ask?: { question: string };
  notices?: { users: readonly string[]; sentence: string };
};

export type Worked = { run: DueRun; outcome: Outcome; beside: Beside; at: Date };

type Row = PrincipalColumns<'by' | 'starter' | 'retrier'> & {
  id: string;
  seq: number;
  at_step: string;
  trigger: Record<string, unknown>;
  workflow_id: string;
  version: number;
  name: string;
  steps: WorkflowStep[];
  token_id: string | null;
  narrow: boolean;
  wire_granted: boolean;
  starter_token_id: string | null;
  starter_narrow: boolean;
  withdrawn: boolean;
  retrier_token_id: string | null;
  retrier_narrow: boolean;
};

/** A workflow whose steps wait for others takes no more places than these. */
const OF_A_WORKFLOW = 8;

export async function claimRuns(
  tx: Transaction,
  lease: Lease,
  count: number,
  hands: Hands,
): Promise<DueRun[]> {
  const due = tx`
    select id from workflow_runs
    where state in ('queued', 'waiting') and held is null and due_at <= ${lease.from}
      and workflow_id <> all(${fullSlots(hands, OF_A_WORKFLOW)}::uuid[])
    order by due_at, id limit ${count} for update skip locked`;
  const taken = await takeRuns(tx, lease, due);
  const rows = await tx<Row[]>`
    select t.id, t.seq, t.at_step, t.trigger, t.workflow_id, t.version, t.starter_kind, t.starter_id, t.starter_name,
      t.starter_on_behalf_of, t.starter_token_id, t.starter_narrow, t.retrier_kind, t.retrier_id, t.retrier_name,
      t.retrier_on_behalf_of, t.retrier_token_id, t.retrier_narrow, v.withdrawn_at is not null as withdrawn, v.name, v.steps, v.by_kind, v.by_id, v.by_name,
      v.by_on_behalf_of, v.token_id, v.narrow, v.wire_granted
    from workflow_runs t join workflow_versions v on v.workflow_id = t.workflow_id and v.version = t.version
    where t.id = any(${taken.map(({ id }) => id)}::uuid[]) order by t.due_at, t.id`;
  await beginSteps(tx, rows, lease.from);
  const steps = await begunSteps(tx, rows);
  return rows.flatMap((row) => {
    const begun = steps.get(row.id);
    const starter = principalIn(row, 'starter');
    const retrier = principalIn(row, 'retrier');
    return begun
      ? [
          {
            id: row.id,
            seq: row.seq,
            step_row: begun.id,
            at_step: row.at_step,
            waits: begun.waits,
            attempt: begun.attempt,
            begun_at: begun.first_at,
            trigger: row.trigger,
            step: row.steps.find(({ id }) => id === row.at_step) ?? null,
            version: row.version,
            acting: {
              workflow: { id: row.workflow_id, name: row.name },
              activator: { by: knownPrincipalIn(row, 'by'), token_id: row.token_id, narrow: row.narrow },
              wire_granted: row.wire_granted,
              withdrawn: row.withdrawn,
              starter: starter && { by: starter, token_id: row.starter_token_id, narrow: row.starter_narrow },
              retrier: retrier && { by: retrier, token_id: row.retrier_token_id, narrow: row.retrier_narrow },
            },
          },
        ]
      : [];
  });
}

type Begun = {
  id: string;
  run_id: string;
  waits: Record<string, unknown> | null;
  attempt: number;
  first_at: Date;
};

async function begunSteps(tx: Transaction, runs: readonly Row[]): Promise<Map<string, Begun>> {
  const ids = runs.map(({ id }) => id);
  const begun = await tx<Begun[]>`
    select s.id, s.run_id, s.waits, s.attempt, s.first_at
    from workflow_run_steps s join workflow_runs r on r.id = s.run_id and r.seq = s.seq
    where r.id = any(${ids}::uuid[])`;
  return new Map(begun.map((each) => [each.run_id, each]));
}

export const giveBackRuns = (tx: Transaction, lease: Lease, runs: readonly DueRun[]): Promise<void> =>
  giveBack(
    tx,
    lease,
    runs.map(({ id }) => id),
  );

export async function settleRuns(tx: Transaction, lease: Lease, worked: readonly Worked[]): Promise<void> {
  for (const each of worked) await settleRun(tx, lease, each);
}

async function settleRun(tx: Transaction, lease: Lease, { run, outcome, beside, at }: Worked): Promise<void> {
  const [ours] = await tx<{ cancel_wanted: boolean }[]>`
    select cancel_wanted from workflow_runs where id = ${run.id} and lease = ${lease.id} for update`;
  if (!ours) return;
  const { next = null, on_error = null } = run.step ?? {};
  const to = becomes(run, { next, on_error }, outcome, ours.cancel_wanted);
  const { act, did, at_step, seq, due, held, error } = to;
  const given = { at_step, seq, due_at: due === 'now' ? at : due, held, error };
  await runsDo(tx, act, tx`id = ${run.id}`, given, at);
  const output = outcome.came === 'done' ? JSON.stringify(outcome.output ?? null) : null;
  const gave = {
    output: output === null ? null : json(tx, JSON.parse(output)),
    output_digest: output === null ? null : createHash('sha256').update(output).digest('hex'),
    error: sentenceOf(outcome),
    waits: outcome.came === 'waits' ? outcome.waits : null,
  };
  await stepsDo(tx, did, tx`id = ${run.step_row}`, gave, at);
  if (to.state === 'waiting' && beside.ask) await ask(tx, run, beside.ask.question, at);
  if (outcome.came === 'done' && beside.notices) {
    const { users, sentence } = beside.notices;
    const link = `/workflows/runs/${run.id}`;
    for (const user_id of users)
      if (await hasRoom(tx, user_id, at)) await notify(tx, { user_id, kind: 'workflow', sentence, link, at });
  }
}

/** Of workflows together, in an hour: one that loops fills no one's bell. */
const MOST_NOTICES = 60;

async function hasRoom(tx: Transaction, user_id: string, now: Date): Promise<boolean> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from notifications
    where user_id = ${user_id} and kind = 'workflow' and at > ${after(now, -HOUR_MS)}`;
  return (row?.count ?? 0) < MOST_NOTICES;
}

function sentenceOf(outcome: Outcome): string | null {
  if (outcome.came === 'waits') return outcome.why ?? null;
  return outcome.came === 'done' ? null : outcome.sentence;
}

async function ask(
  tx: Transaction,
  { step_row, acting, at_step, seq }: DueRun,
  question: string,
  now: Date,
): Promise<void> {
  const { workflow, activator } = acting;
  const by = { kind: 'agent', id: workflow.id, name: workflow.name } as const;
  await openApproval(
    tx,
    {
      id: newId(),
      kind: 'workflow_step',
      subject: { kind: 'run_step', id: step_row, key: `${at_step}-${seq}`, title: question, revision: 1 },
      project_id: null,
      author: by,
    },
    acting.starter?.by ?? activator.by,
    now,
  );
}

/** Runs whose process has said nothing for its whole minute: they are shown as they are, at the step they were at. */
export async function stallRuns(tx: Transaction, now: Date): Promise<{ id: string }[]> {
  const error =
    'the process that worked on this step is gone, and whether the step happened is not known here: retry goes on at it, and finds what was done';
  const gone = tx`
    select id from workflow_runs where state = 'running' and lease_until < ${now} limit 50 for update skip locked`;
  return await stall(tx, gone, error, now);
}

/** False once the run is over, or someone cancelled it. */
export async function isWanted(db: Reader, id: string): Promise<boolean> {
  const [open] = await db`
    select from workflow_runs where id = ${id} and finished_at is null and not cancel_wanted`;
  return open !== undefined;
}

/** What the steps of a run gave so far, by id; of one that it came to again, the last. */
export async function outputsOf(db: Reader, run_id: string): Promise<Record<string, unknown>> {
  const rows = await db<{ step_id: string; output: unknown }[]>`
    select step_id, output from workflow_run_steps where run_id = ${run_id} and state = 'succeeded' order by seq`;
  return Object.fromEntries(rows.map(({ step_id, output }) => [step_id, output]));
}

/** Runs that are long over go, with what their steps gave. */
export async function forgetRuns(tx: Transaction, before: Date): Promise<void> {
  await tx`
    delete from workflow_runs where id in (
      select id from workflow_runs where finished_at < ${before} order by finished_at limit 1000)`;
}
