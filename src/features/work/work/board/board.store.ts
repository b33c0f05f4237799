// The two hot reads of the board, one query each: a project's columns, and items found by project, status, assignee, label
// or words. Neither reads a description, and both are served by an index at any size.
import type { Caller } from '../../../../kernel/caller.ts';
import type { Reader } from '../../../../kernel/database.ts';
import { decide, projectName } from '../../../../kernel/policy.ts';
import { allowedBy } from '../../../access/policies/named.store.ts';
import type { Board, Card, Project, Status } from '../contract.ts';
import { cardColumns, itemName } from '../item/items.store.ts';
import { guardProject, loadProject, noProject, refersTo } from '../projects.store.ts';
import { iso, toCard, type CardRow } from '../item/row.ts';

/** As many cards of a column as could ever fit into an answer. */
const CARDS_A_COLUMN = 200;

export type LoadedBoard = {
  project: Board['project'] & { column_titles: Project['column_titles'] };
  columns: { status: Status; count: number; cards: Card[] }[];
};

type ColumnRow = Board['project'] & {
  column_titles: Project['column_titles'];
  status: Status;
  count: number;
  cards: CardRow[];
};

/** Rows of a list that the caller's policies deny one by one are left out of it. */
const shows = (caller: Caller, action: string, project_key: string, item_id: string): boolean =>
  decide(caller.rights, action, [projectName(project_key), itemName(item_id)]).allowed;

/**
 * Every column of a project in order, with its count and its first cards. What policies deny one by one is in no list of
 * cards; in the count it stays as far as it lies beyond the cards that were read, and is taken off where it was among them.
 * Policies are decided here and not in the query, and to decide every card of a column would be to read all of them: a
 * count tells that a card is there, never which.
 */
export async function loadBoard(
  db: Reader,
  caller: Caller,
  action: string,
  ref: string,
): Promise<LoadedBoard> {
  const rows = await db<ColumnRow[]>`
    select p.id, p.key, p.name, p.review_limit, p.labels, p.column_titles, s.status, counted.count, listed.cards
    from work_projects p
    cross join unnest(enum_range(null::work_status)) as s (status)
    cross join lateral (
      select count(*)::int as count from work_items i where i.project_id = p.id and i.status = s.status
    ) counted
    cross join lateral (
      select coalesce(jsonb_agg(to_jsonb(c) order by c.position, c.id), '[]') as cards
      from (
        select ${cardColumns(db)} from work_items i
        where i.project_id = p.id and i.status = s.status
        order by i.position, i.id limit ${CARDS_A_COLUMN}
      ) c
    ) listed
    where ${refersTo(db, ref)}
    order by s.status`;
  const [first] = rows;
  if (!first) throw noProject();
  guardProject(caller, action, first.key);
  const { id, key, name, review_limit, labels, column_titles } = first;
  const columns = rows.map(({ status, count, cards }) => {
    const shown = cards.filter((card) => shows(caller, action, key, card.id));
    return { status, count: count - (cards.length - shown.length), cards: shown.map(toCard) };
  });
  return { project: { id, key, name, review_limit, labels, column_titles }, columns };
}

export type FoundItem = Card & { project_id: string; updated_at: string };

export type ItemSearch = {
  /** One project by its id or key, the ids of those looked in, or `all` where the caller needs no filter. */
  projects: { ref: string } | string[] | 'all';
  status?: Status;
  priority?: Card['priority'];
  /** An item's key in two: the project's key and the item's number. */
  key?: { project: string; number: number };
  /** The id of a principal, or `none`. */
  assignee?: string;
  label?: string;
  /** Whether it is open and was due before today (UTC). */
  overdue?: { is: boolean; today: string };
  /** A tsquery (words.ts). */
  words?: string;
  after: readonly [updated_at: string, id: string] | null;
  count: number;
};

type FoundRow = CardRow & { project_id: string; project_key: string; updated_at: Date };

/** Newest change first, as if those that the caller's policies deny were not there. */
export async function searchItems(
  db: Reader,
  caller: Caller,
  action: string,
  search: ItemSearch,
): Promise<FoundItem[]> {
  const { projects, status, priority, assignee, label, overdue, words, key, after } = search;
  const names = { 'work:project/': { text: db`p.key` }, 'work:item/': db`i.id` };
  const may = allowedBy(db, caller.rights, action, names);
  const rows = await db<FoundRow[]>`
    select ${cardColumns(db)}, i.project_id, p.key as project_key, i.updated_at
    from work_items i join work_projects p on p.id = i.project_id
    where true
      ${inProjects(db, projects)}
      ${may === null ? db`` : db`and ${may}`}
      ${status === undefined ? db`` : db`and i.status = ${status}`}
      ${priority === undefined ? db`` : db`and i.priority = ${priority}`}
      ${key === undefined ? db`` : db`and p.key = ${key.project} and i.number = ${key.number}`}
      ${assignee === undefined ? db`` : assignee === 'none' ? db`and i.assignee_id is null` : db`and i.assignee_id = ${assignee}`}
      ${label === undefined ? db`` : db`and i.labels @> ${[label]}`}
      ${overdue === undefined ? db`` : db`and (i.status in ('backlog', 'todo', 'in_progress', 'in_review') and coalesce(i.due_on < ${overdue.today}::date, false)) = ${overdue.is}`}
      ${words === undefined ? db`` : db`and i.search @@ ${words}::tsquery`}
      ${after === null ? db`` : db`and (i.updated_at, i.id) < (${after[0]}, ${after[1]})`}
    order by i.updated_at desc, i.id desc
    limit ${search.count}`;
  if (typeof projects === 'object' && 'ref' in projects) {
    // A found row names its project, so that the common case is one round trip; only an empty answer asks who the project is.
    if (rows[0]) guardProject(caller, action, rows[0].project_key);
    else await loadProject(db, caller, action, projects.ref);
  }
  return rows.map((row) => ({
    ...toCard(row),
    project_id: row.project_id,
    updated_at: iso(row.updated_at),
  }));
}

function inProjects(db: Reader, projects: ItemSearch['projects']) {
  if (projects === 'all') return db``;
  if (Array.isArray(projects)) return db`and i.project_id = any(${projects})`;
  // As a value of its own, and not by the join: so the index of a project's newest items gives them in order.
  return db`and i.project_id = (select p.id from work_projects p where ${refersTo(db, projects.ref)})`;
}
