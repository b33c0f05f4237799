// Counts and hashes every table, by the server and in another way than a backup does it.
import { tablesOf } from '../../src/store/backup/catalog.ts';
import { openConnection } from '../../src/store/backup/session.ts';
import type { Whereabouts } from '../../src/store/connect.ts';

export async function sums(where: Whereabouts): Promise<Record<string, string>> {
  const connection = openConnection(where);
  const found: Record<string, string> = {};
  for (const { name } of await tablesOf(connection)) {
    const [row] = await connection.unsafe<{ sum: string }[]>(
      `select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as sum from "${name}" t`,
    );
    found[name] = row?.sum ?? '';
  }
  await connection.end();
  return found;
}
