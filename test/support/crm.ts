// People, deals and fields for tests: rows that a test only leans on are written straight into the tables, what it is about
// goes through the entry points.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Deal } from '../../src/features/crm/deals/contract.ts';
import type { RestClient, TestApp } from './app.ts';

export const CRM = '/api/admin/crm';

/** A person of a name, without an address. */
export async function aPerson(app: TestApp, name = 'Dana Roe'): Promise<string> {
  const id = randomUUID();
  await app.sql`
    insert into people (id, name, name_key, search, created_by_kind, created_by_id, created_by_name, created_at, updated_at)
    values (${id}, ${name}, ${name.toLowerCase()}, '', 'person', 'x', 'X', now(), now())`;
  return id;
}

export async function newDeal(by: RestClient, given: Record<string, unknown> = {}): Promise<Deal> {
  const made = await by.rest('POST', `${CRM}/deals`, { name: 'Forty seats', ...given });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body.deal;
}

/** The deals that the world was told of, with the prospect of each. */
export async function openedEvents(app: TestApp, deal_id: string): Promise<Record<string, unknown>[]> {
  const rows = await app.sql<{ body: string }[]>`
    select body from event_deliveries where event = 'deal.opened' order by occurred_at, id`;
  return rows.map(({ body }) => JSON.parse(body).data).filter((data) => data.deal_id === deal_id);
}
