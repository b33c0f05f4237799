// Adds screen links to what an agent gets: `open_at` shows the record, `sign_at` is where a person decides what the agent can’t.
// One place for every tool and route; a record is recognized by its key in the answer.
import type { Instance } from './app.ts';
import { screenUrl } from './links.rules.ts';

type Json = Record<string, unknown>;
type Links = { open_at?: string; sign_at?: string };

const textOf = (record: Json, key: string): string | null => {
  const value = record[key];
  return typeof value === 'string' && value !== '' ? value : null;
};

/** By the key under which an answer holds the record; of several, the first here is what the answer is about. */
const LINKS: Record<string, (instance: Instance, id: string, record: Json) => Links> = {
  approval: (instance, id) => ({ sign_at: screenUrl(instance, 'approval', id) }),
  item: (instance, _, record) => {
    const [key, approval] = [textOf(record, 'key'), textOf(record, 'approval_id')];
    return {
      ...(key !== null && { open_at: screenUrl(instance, 'item', key) }),
      ...(approval !== null && { sign_at: screenUrl(instance, 'approval', approval) }),
    };
  },
  send: (instance, id, { state }) => ({
    open_at: screenUrl(instance, 'letter', id),
    ...(state === 'review' && { sign_at: screenUrl(instance, 'reviewed_letter', id) }),
  }),
  answer: (instance, _, record) => {
    const thread = textOf(record, 'thread_id');
    if (thread === null) return {};
    const at = screenUrl(instance, 'thread', thread);
    // A draft is sent there, by a person or with wire.
    return { open_at: at, ...(record['state'] === 'draft' && { sign_at: at }) };
  },
  thread: (instance, id) => ({ open_at: screenUrl(instance, 'thread', id) }),
  deal: (instance, id) => ({ open_at: screenUrl(instance, 'deal', id) }),
  campaign: (instance, id) => ({ open_at: screenUrl(instance, 'campaign', id) }),
  company: (instance, id) => ({ open_at: screenUrl(instance, 'company', id) }),
  person: (instance, id) => ({ open_at: screenUrl(instance, 'person', id) }),
  project: (instance, _, record) => {
    const key = textOf(record, 'key');
    return key === null ? {} : { open_at: screenUrl(instance, 'project', key) };
  },
  workflow: (instance, id) => ({ open_at: screenUrl(instance, 'workflow', id) }),
  run: (instance, id) => ({ open_at: screenUrl(instance, 'run', id) }),
};

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The answer with links of its own, unless it brings some. */
export function withLinks(instance: Instance, answer: unknown): unknown {
  if (!isRecord(answer) || 'open_at' in answer || 'sign_at' in answer) return answer;
  const rows = answer['items'];
  if (Array.isArray(rows)) {
    const linked = rows.map((row) => rowWithLink(instance, row));
    return linked.some((row, at) => row !== rows[at]) ? { ...answer, items: linked } : answer;
  }
  for (const [kind, linksOf] of Object.entries(LINKS)) {
    const record = answer[kind];
    if (!isRecord(record)) continue;
    const id = textOf(record, 'id');
    if (id !== null) return { ...answer, ...linksOf(instance, id, record) };
  }
  return answer;
}

/** Rows that a person decides, and what the search finds. */
function rowWithLink(instance: Instance, row: unknown): unknown {
  if (!isRecord(row)) return row;
  const { place, ...rest } = row;
  if (typeof place === 'string' && place.startsWith('/'))
    return { ...rest, open_at: `${screenUrl(instance, 'today').slice(0, -1)}${place}` };
  const id = textOf(row, 'id');
  return id !== null && 'can_decide' in row ? { ...row, sign_at: screenUrl(instance, 'approval', id) } : row;
}
