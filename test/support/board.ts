// A project and its cards for tests that speak to the board: short names for the calls that most of them make, all of them
// through the entry points.
import { expect } from 'vitest';
import type { Approval } from '../../src/features/work/approvals/contract.ts';
import type { Item } from '../../src/features/work/work/items.contract.ts';
import type { EventData } from '../../src/kernel/events.rules.ts';
import type { Answer, RestClient, TestApp, TokenClient } from './app.ts';

let projects = 0;

/** A project of its own for one test, so that tests of one file do not see each other's cards. */
export async function newProject(
  app: TestApp,
  fields: Record<string, unknown> = {},
): Promise<{ id: string; key: string; revision: number }> {
  const key = `P${++projects}X`;
  const made = await app.admin.rest('POST', '/api/work/projects', {
    key,
    name: `Project ${key}`,
    ...fields,
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.project;
}

/** A card made by this caller, and so written by them. By a token it is made on an agent turn. */
export async function newItem(
  by: RestClient | TokenClient,
  project: string,
  fields: Record<string, unknown> = {},
): Promise<Item> {
  const given = { project, title: 'Write to the ten oldest customers', ...fields };
  if ('tool' in by) {
    const made = await by.tool('work_create', { ...given, again: true });
    expect(made.isError, made.text).toBe(false);
    return made.json.item;
  }
  const made = await by.rest('POST', '/api/work/items', given);
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.item;
}

export const move = (
  by: RestClient,
  item: { id: string },
  status: string,
  more: Record<string, unknown> = {},
): Promise<Answer> => by.rest('POST', `/api/work/items/${item.id}/move`, { status, ...more });

export const read = async (by: RestClient, item: { id: string }): Promise<Item> =>
  (await by.rest('GET', `/api/work/items/${item.id}`)).body.item;

export const approvalOf = async (by: RestClient, id: string): Promise<Approval> =>
  (await by.rest('GET', `/api/approvals/${id}`)).body.approval;

/** Decides as the screen does: with the revision of the approval as it was read. */
export async function decide(
  by: RestClient,
  id: string,
  decision: string,
  more: Record<string, unknown> = {},
): Promise<Answer> {
  const approval: Approval | undefined = await approvalOf(by, id);
  return by.rest('POST', `/api/approvals/${id}/decide`, {
    decision,
    revision: approval?.subject.revision ?? 1,
    ...more,
  });
}

/** A card that an agent wrote and moved to done: it waits for a person. */
export async function parkedBy(
  agent: TokenClient,
  project: string,
  fields: Record<string, unknown> = {},
): Promise<{ item: Item; approval_id: string }> {
  const item = await newItem(agent, project, fields);
  const parked = await agent.tool('work_move', { item_id: item.id, status: 'done' });
  expect(parked.isError, parked.text).toBe(false);
  return parked.json;
}

/** The events of a kind that are in the outbox about this card, oldest first. */
export type Event = {
  id: string;
  event: string;
  instance: string;
  occurred_at: string;
  data: EventData['work.review_parked'];
};

export async function eventsOf(app: TestApp, item: { id: string }): Promise<Event[]> {
  const rows = await app.sql<{ body: string }[]>`
    select body from event_deliveries where event = 'work.review_parked' and body::jsonb -> 'data' ->> 'item_id' = ${item.id} order by id`;
  return rows.map((row) => JSON.parse(row.body));
}

export const sentence = (answer: Answer): string => answer.body.error?.message;
