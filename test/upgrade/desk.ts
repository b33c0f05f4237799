// The desk that is dumped at each release and read back by every version after it: who it belongs to, and what its entry points answer.

export const NAME = 'released';
export const MASTER_KEY = 'the master key of the released desk';
export const ADMIN = { name: 'Ada Operator', email: 'ada@desk.example', password: 'rope and sail at dawn' };

/** Lists, and where one of their records is read alone. */
const LISTS: readonly (readonly [list: string, one?: string])[] = [
  ['/api/admin/crm/people', '/api/admin/crm/people/:id'],
  ['/api/admin/crm/companies', '/api/admin/crm/companies/:id'],
  ['/api/admin/crm/deals', '/api/admin/crm/deals/:id'],
  ['/api/admin/crm/pipeline'],
  ['/api/admin/crm/segments'],
  ['/api/admin/outreach/campaigns', '/api/admin/outreach/campaigns/:id'],
  ['/api/admin/outreach/sends', '/api/admin/outreach/sends/:id'],
  ['/api/admin/outreach/domains', '/api/admin/outreach/domains/:id'],
  ['/api/admin/outreach/identities', '/api/admin/outreach/identities/:id'],
  ['/api/admin/outreach/suppressions'],
  ['/api/threads', '/api/threads/:id'],
  ['/api/approvals', '/api/approvals/:id'],
  ['/api/work/projects'],
  ['/api/work/items', '/api/work/items/:id'],
  ['/api/workflows', '/api/workflows/:id'],
  ['/api/workflows/runs', '/api/workflows/runs/:id'],
  ['/api/admin/audit'],
  ['/api/admin/events/recent'],
  ['/api/admin/users'],
  ['/api/admin/tokens'],
  ['/api/agents'],
];

/** What they say depends on the hour: that they answer is all that is kept. */
const PAGES = ['/api/digests/instance_digest', '/api/today'];

/** What says which record it is and where it exists. */
const KEPT = ['id', 'key', 'name', 'title', 'subject', 'email', 'state', 'stage', 'status', 'act', 'event'];
const MOST = 20;

export type Seen = Record<string, { status: number; records: Record<string, unknown>[] }>;

type Get = (path: string) => Promise<{ status: number; body: unknown }>;

/** Every record of every list, read alone; gives those that are not read. */
export async function unreadable(get: Get): Promise<string[]> {
  const found: string[] = [];
  for (const [list, one] of LISTS) {
    let cursor: string | null = null;
    do {
      const path = cursor === null ? list : `${list}?cursor=${encodeURIComponent(cursor)}`;
      const { status, body } = await get(path);
      if (status !== 200) found.push(`${path}: ${status}`);
      for (const { id } of one ? recordsIn(body) : []) {
        const alone = one?.replace(':id', String(id)) ?? '';
        const read = await get(alone);
        if (read.status !== 200) found.push(`${alone}: ${read.status}`);
      }
      cursor = (body as { next_cursor?: string | null }).next_cursor ?? null;
    } while (cursor !== null);
  }
  return found;
}

/** What the desk answers to whoever `get` reads as. */
export async function seenBy(get: Get): Promise<Seen> {
  const seen: Seen = {};
  const read = async (path: string, as: string): Promise<Record<string, unknown>[]> => {
    const { status, body } = await get(path);
    const records = recordsIn(body).slice(0, MOST);
    seen[as] = { status, records: records.map(kept) };
    return records;
  };
  for (const [list, one] of LISTS) {
    const [first] = await read(list, list);
    if (one && first) await read(one.replace(':id', String(first['id'])), one);
  }
  for (const path of PAGES) seen[path] = { status: (await get(path)).status, records: [] };
  return seen;
}

/** Of a list its rows; of one record that record, which may be under its noun. */
function recordsIn(body: unknown): Record<string, unknown>[] {
  if (typeof body !== 'object' || body === null) return [];
  const rows = Object.values(body).find((value) => Array.isArray(value)) as unknown[] | undefined;
  const nested = Object.values(body).find(
    (value) => typeof value === 'object' && value !== null && 'id' in value,
  );
  // One record may have a list beside it, of what was said about it.
  const isList = !('id' in body) && rows !== undefined && (rows.length > 0 || nested === undefined);
  if (isList) return rows.filter((row) => typeof row === 'object' && row !== null) as never;
  return [(('id' in body ? body : nested) ?? body) as Record<string, unknown>];
}

const kept = (record: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(KEPT.filter((key) => key in record).map((key) => [key, record[key]]));
