// Workflows in tests: saved and activated through the entry points, and their runs worked on until nothing is due.
import { expect } from 'vitest';
import type { Run } from '../../src/features/automation/workflows/runs.contract.ts';
import type { RestClient, TestApp } from './app.ts';

export type StepGiven = {
  id: string;
  kind: string;
  input?: Record<string, unknown>;
  next?: string | null;
  on_error?: string | null;
};

export const step = (
  id: string,
  kind: string,
  input: Record<string, unknown> = {},
  more: Partial<StepGiven> = {},
) => ({
  id,
  kind,
  name: `${kind} ${id}`,
  input,
  ...more,
});

export async function savedBy(
  who: RestClient,
  steps: unknown[],
  trigger: unknown = { kind: 'manual' },
  name = 'Follow up',
) {
  const made = await who.rest('POST', '/api/workflows', { name, trigger, steps });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.workflow as { id: string; revision: number };
}

/** Saved and activated; gives its id. */
export async function activeBy(
  who: RestClient,
  steps: unknown[],
  trigger?: unknown,
  name?: string,
): Promise<string> {
  const { id, revision } = await savedBy(who, steps, trigger, name);
  const active = await who.rest('POST', `/api/workflows/${id}/activate`, { revision });
  expect(active.status, JSON.stringify(active.body)).toBe(200);
  return id;
}

export async function startedBy(who: RestClient, workflow: string, inputs = {}): Promise<string> {
  const begun = await who.rest('POST', `/api/workflows/${workflow}/runs`, { inputs });
  expect(begun.status, JSON.stringify(begun.body)).toBe(201);
  return begun.body.run.id;
}

/** Until nothing is due. */
export async function worked(app: TestApp): Promise<void> {
  await app.instance.jobs.run('workflow_triggers');
  for (let left = 200; left > 0; left -= 1) if ((await app.instance.jobs.run('workflow_steps')) === 0) return;
  throw new Error('the runs never came to an end');
}

export async function runNow(app: TestApp, id: string): Promise<Run> {
  const read = await app.admin.rest('GET', `/api/workflows/runs/${id}`);
  expect(read.status, JSON.stringify(read.body)).toBe(200);
  return read.body.run;
}

/** Started, and worked on until nothing is due. */
export async function ran(app: TestApp, who: RestClient, workflow: string, inputs = {}): Promise<Run> {
  const id = await startedBy(who, workflow, inputs);
  await worked(app);
  return runNow(app, id);
}
