// One section of a digest: decided for whoever asks, or one sentence that says which right is missing. And what its lines
// are made of: few of them, and no long text.
import { denied } from '../../../kernel/denied.ts';
import { couldAllow, decide } from '../../../kernel/policy.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import type { ReadContext } from '../../../kernel/context.ts';
import { visible } from '../../../kernel/visible.ts';
import { DATA, type MayNotRead } from './frame.contract.ts';
import { nextOf, type Proposals } from './next.ts';

/** `resource` null: things of many names, each of which `load` decides on its own. */
export async function section<T>(
  { caller }: Pick<ReadContext, 'caller'>,
  action: string,
  resource: string | null,
  load: () => Promise<T>,
): Promise<T | MayNotRead> {
  const may =
    resource === null ? couldAllow(caller.rights, action) : decide(caller.rights, action, [resource]).allowed;
  if (!may) return { may_not_read: denied(caller, action, resource ?? undefined).sentence };
  try {
    return await load();
  } catch (error) {
    if (error instanceof Refusal && error.code === 'policy_denied') return { may_not_read: error.sentence };
    throw error;
  }
}

export const isShown = <T extends object>(loaded: T | MayNotRead): loaded is T => !('may_not_read' in loaded);

/** Asks for it only where the section is shown: what `next` and other sections lean on. */
export const within = <T extends object, V>(loaded: T | MayNotRead, read: (shown: T) => V, otherwise: V): V =>
  isShown(loaded) ? read(loaded) : otherwise;

export const framed = <S extends object>(
  context: Pick<ReadContext, 'app' | 'caller' | 'now'>,
  sections: S,
  next: Proposals,
) => ({
  as_of: context.now.toISOString(),
  note: DATA as typeof DATA,
  ...sections,
  next: nextOf(context, next),
});

export const LINES_MAX = 20;

/** Of each list of the digest that every session begins with: its next steps lead to the others. */
export const FIRST_LINES = 3;

type Few<L> = { count: number; lines: L[]; more: number | true };

/** Lines of rows of which all are known, or of the first ones of `count`. */
export function fewOf<R, L>(
  rows: readonly R[],
  line: (row: R) => L,
  { count = rows.length, max = LINES_MAX }: { count?: number; max?: number } = {},
): Few<L> {
  const lines = rows.slice(0, max).map(line);
  return { count, lines, more: Math.max(count - lines.length, 0) };
}

type Page<R> = { items: R[]; next_cursor: string | null };

/** Lines of a list that is read to its end, so that its count is one; `more` is true where even that was not its end. */
export async function fewOfAll<R, L>(
  read: (cursor?: string) => Promise<Page<R>>,
  line: (row: R) => L,
  max: number = LINES_MAX,
): Promise<Few<L>> {
  const { rows, whole } = await pagesOf(read);
  const some = fewOf(rows, line, { max });
  return whole ? some : { ...some, more: true };
}

/** Every row of a list that is short on any instance, page after page; `read` is given the cursor. */
export const allPages = async <R>(read: (cursor?: string) => Promise<Page<R>>): Promise<R[]> =>
  (await pagesOf(read)).rows;

async function pagesOf<R>(
  read: (cursor?: string) => Promise<Page<R>>,
): Promise<{ rows: R[]; whole: boolean }> {
  const rows: R[] = [];
  for (let cursor: string | undefined, pages = 0; pages < PAGES_MAX; pages += 1) {
    const page = await read(cursor);
    rows.push(...page.items);
    if (page.next_cursor === null) return { rows, whole: true };
    cursor = page.next_cursor;
  }
  return { rows, whole: false };
}

const PAGES_MAX = 20;

/** Subjects of mail that came in are never longer than this (domain.md §3.3). */
export const SUBJECT_MAX = 80;

/** One line of what someone wrote. */
export function short(text: string, max: number = SUBJECT_MAX): string {
  const line = visible(text).replace(/\s+/gu, ' ').trim();
  return line.length <= max
    ? line
    : `${line
        .slice(0, max - 1)
        .toWellFormed()
        .replace(/\ufffd$/u, '')}…`;
}

export const shortOrNull = (text: string | null, max?: number): string | null =>
  text === null ? null : short(text, max);
