// What people call things of the board: a project by its name, a card by its key, and whom something is assigned to by name or
// address. Each finds only what its caller may read.
import { type ByName, MOST_FOUND } from '../../../kernel/by-name.ts';
import { isUuid } from '../../../kernel/ids.ts';
import { plain } from '../../../kernel/words.ts';
import { findWorkerByAddress, listWorkers } from './item/relations.store.ts';
import { readableItems, visibleProjects } from './projects.store.ts';

/** As keys are written; in small letters it may as well be a name. */
const KEY = /^[A-Z][A-Z0-9]{1,9}$/;
const ITEM_KEY = /^([a-z][a-z0-9]{1,9})-([1-9]\d{0,8})$/i;

const projects: ByName = {
  noun: 'project',
  how: 'GET /api/work/projects lists projects',
  action: 'work.project.read',
  takes: (_op, key) => key === 'project' || key === 'project_id',
  isName: (value) => !isUuid(value) && !KEY.test(value),
  async find({ db, caller }, name) {
    const visible = await visibleProjects(db, caller, 'work.project.read');
    const rows = await db<{ id: string; key: string; name: string }[]>`
      select id, key, name from work_projects
      ${visible === 'all' ? db`` : db`where id = any(${visible.map(({ id }) => id)})`} order by key`;
    const asked = plain(name);
    return rows
      .filter((row) => plain(row.key) === asked || plain(row.name).includes(asked))
      .slice(0, MOST_FOUND)
      .map((row) => ({ id: row.id, name: row.name, also: [row.key] }));
  },
};

/** `item_id` is not among them: the specification takes a UUID there and nothing else (§7). */
const ITEM_ARGUMENTS = ['item', 'parent_id', 'blocked_by'];

const items: ByName = {
  noun: 'work item',
  how: 'work_search (GET /api/work/items) finds items by words or key',
  action: 'work.item.read',
  takes: (_op, key) => ITEM_ARGUMENTS.includes(key),
  isName: (value) => !isUuid(value),
  async find({ db, caller }, name) {
    const [, key = '', number] = ITEM_KEY.exec(name) ?? [];
    if (number === undefined) return [];
    const rows = await db<{ id: string; title: string; key: string }[]>`
      select i.id, i.title, p.key || '-' || i.number as key
      from work_items i join work_projects p on p.id = i.project_id
      where p.key = ${key.toUpperCase()} and i.number = ${Number(number)} and ${readableItems(db, caller)}`;
    const visible = await visibleProjects(db, caller, 'work.item.read');
    const seen = (own: string): boolean =>
      visible === 'all' || visible.some((each) => own.startsWith(`${each.key}-`));
    return rows
      .filter((row) => seen(row.key))
      .map((row) => ({ id: row.id, name: row.title, also: [row.key] }));
  },
};

const assignees: ByName = {
  noun: 'assignee',
  how: 'GET /api/work/assignees lists them',
  action: 'work.item.read',
  takes: (_op, key) => key === 'assignee' || key === 'owner',
  isName: (value) => !isUuid(value) && value !== 'me' && value !== 'none',
  async find({ db, caller, now, op }, name) {
    // Cards and threads are given to tokens as well; everything else has a person as its owner.
    const isTaken = (kind: string): boolean => kind === 'person' || 'assignee' in op.takes.shape;
    const found = name.includes('@')
      ? await findWorkerByAddress(db, caller, now, plain(name))
      : (await listWorkers(db, caller, now, { query: plain(name), after: null, count: MOST_FOUND })).map(
          ({ worker }) => worker,
        );
    return found
      .filter(({ kind }) => isTaken(kind))
      .map((each) => ({ id: each.id, name: each.name, ...(name.includes('@') && { also: [name] }) }));
  },
};

export const boardByName: ByName[] = [projects, items, assignees];
