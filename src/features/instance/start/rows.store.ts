// Writes planned rows, table after table.
import { json, type Reader, type Transaction } from '../../../kernel/database.ts';
import { Json, texts, type Cell, type Row, type Table } from './plan.ts';

/** The database takes 65,534 parameters in one statement. */
const PARAMETERS = 30_000;

export async function insertRows(
  tx: Transaction,
  planned: ReadonlyMap<Table, readonly Row[]>,
): Promise<void> {
  for (const [table, rows] of planned) {
    const [first] = rows;
    if (!first) continue;
    const at_once = Math.max(1, Math.floor(PARAMETERS / Object.keys(first).length));
    for (let at = 0; at < rows.length; at += at_once) {
      const some = rows.slice(at, at + at_once).map((row) => cells(tx, row)) as unknown as Record<
        string,
        string
      >[];
      await tx`insert into ${tx(table)} ${tx(some)} ${table === 'suppressions' ? tx`on conflict do nothing` : tx``}`;
    }
  }
}

const cells = (tx: Transaction, row: Row): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).map(([column, cell]) => [column, cellOf(tx, cell)]));

const cellOf = (tx: Transaction, cell: Cell): unknown =>
  cell instanceof Json ? json(tx, cell.value ?? null) : cell;

/** So many rows at once that the server must look at them before it is asked anything of them. */
export async function lookAtRows(tx: Transaction): Promise<void> {
  await tx`analyze threads, touches, prospects, sends, people, person_addresses`;
}

/** The letter of their step is there, so the sequence does not look at them again before it went. */
export async function inTheirHands(tx: Transaction, prospect_id: string): Promise<void> {
  await tx`update prospects set next_at = null where id = ${prospect_id}`;
}

/** What is in the way of sample data: an address or a name of it that is taken. */
export async function takenAmong(
  tx: Transaction,
  planned: ReadonlyMap<Table, readonly Row[]>,
): Promise<boolean> {
  const all = (table: Table, column: string): string[] => texts(planned, table, column);
  const [row] = await tx<{ taken: boolean }[]>`
    select exists (select from domains where name = any(${all('domains', 'name')}))
      or exists (select from work_projects where key = any(${all('work_projects', 'key')}))
      or exists (select from companies where domain = any(${all('companies', 'domain')}))
      or exists (select from person_addresses where normalised = any(${all('person_addresses', 'normalised')}))
      as taken`;
  return row?.taken ?? false;
}

export async function stageKeys(tx: Reader | Transaction): Promise<string[]> {
  const rows = await tx<{ key: string }[]>`select key from deal_stages order by position`;
  return rows.map(({ key }) => key);
}
