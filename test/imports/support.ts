// What the tests of imports share: files made in code, and the calls that plan, write and undo.
import { expect } from 'vitest';
import type { Answer, RestClient, TestApp } from '../support/app.ts';

export const ROUTE = '/api/admin/crm/people/import';

export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** A list with these headings, quoted where it must be. */
export function csv(headings: string[], rows: (string | number)[][], delimiter = ','): string {
  const cell = (value: string | number): string => {
    const text = String(value);
    return /["\n\r]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [headings, ...rows].map((row) => row.map(cell).join(delimiter)).join('\n') + '\n';
}

/** Of `count` people, from `from` on. */
export const list = (count: number, from = 0): string =>
  csv(
    ['Email', 'First Name', 'Last Name', 'Company'],
    Array.from({ length: count }, (_, i) => [
      `p${from + i}@list.example`,
      `Given${from + i}`,
      'Lee',
      `Firm ${i % 7}`,
    ]),
  );

export type Args = Record<string, unknown>;

export const give = (who: RestClient, args: Args): Promise<Answer> => who.rest('POST', ROUTE, args);

export async function planOf(who: RestClient, args: Args): Promise<any> {
  const answer = await give(who, args);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect(answer.body.dry_run).toBe(true);
  return answer.body;
}

export async function write(who: RestClient, args: Args): Promise<any> {
  const answer = await give(who, { ...args, dry_run: false });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect(answer.body.dry_run).toBe(false);
  return answer.body;
}

export async function planAndWrite(who: RestClient, args: Args): Promise<any> {
  await planOf(who, args);
  return await write(who, args);
}

export const rollBack = (who: RestClient, batch: string): Promise<Answer> =>
  who.rest('DELETE', `${ROUTE}/${batch}`);

export async function batchOf(who: RestClient, batch: string, query = ''): Promise<any> {
  const answer = await who.rest('GET', `${ROUTE}/${batch}${query}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}

export async function countPeople(app: TestApp): Promise<number> {
  const [row] = await app.sql<{ count: number }[]>`select count(*)::int as count from people`;
  return row?.count ?? 0;
}
