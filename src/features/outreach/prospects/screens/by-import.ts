// The people of an import as they are enrolled: read page by page, and enrolled at most 500 at a time.
import { type Answer, call, type Takes } from '../../../../ui/client/call.ts';
import type { Enrolment } from '../enrol.contract.ts';

/** What one call of `campaign_enrol` takes. */
const AT_ONCE = 500;

/** Everyone in it who is still there, each once. */
export async function peopleOfImport(batch: string, signal: AbortSignal): Promise<string[]> {
  const found = new Set<string>();
  let cursor: string | null = null;
  do {
    const page: Takes<'import_get'> = { batch, limit: 200, ...(cursor && { cursor }) };
    const { rows }: Answer<'import_get'> = await call('import_get', page, signal);
    for (const { person, rolled_back } of rows.items)
      if (person && rolled_back !== 'removed' && rolled_back !== 'gone') found.add(person.id);
    cursor = rows.next_cursor;
  } while (cursor !== null);
  return [...found];
}

export type Whom = { segment: string } | { people: string[] };

/** As many calls as it takes. */
export const partsOf = (whom: Whom): Whom[] =>
  'segment' in whom
    ? [whom]
    : Array.from({ length: Math.ceil(whom.people.length / AT_ONCE) }, (_, at) => ({
        people: whom.people.slice(at * AT_ONCE, (at + 1) * AT_ONCE),
      }));

/** What several calls came to together. */
export function together(parts: readonly Enrolment[]): Enrolment | null {
  const [first, ...rest] = parts;
  if (!first) return null;
  return rest.reduce((all, part) => {
    const refused_by = { ...all.refused_by };
    for (const [why, n] of Object.entries(part.refused_by) as [keyof typeof refused_by, number][])
      refused_by[why] = (refused_by[why] ?? 0) + n;
    const enrolled = all.enrolled + part.enrolled;
    return { ...all, enrolled, refused: [...all.refused, ...part.refused], refused_by };
  }, first);
}
