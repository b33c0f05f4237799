// Projects: list, make, read, change, and the board.
import { z } from 'zod';
import { fairlyCut, keyIn, pageOf } from '../../../kernel/page.ts';
import { changedSince, invalid, nameTaken, stop } from '../../../kernel/refusal.ts';
import type { Reader } from '../../../kernel/database.ts';
import { projectName } from '../../../kernel/policy.ts';
import { bind, type Bound } from '../../../kernel/context.ts';
import { fieldsTogether, refusedDefinitions } from '../../crm/fields/rules.ts';
import { fieldsOf } from '../../crm/fields/store.ts';
import { loadBoard } from './board/board.store.ts';
import { projectBoard, projectCreate, projectGet, projectList, projectUpdate } from './contract.ts';
import {
  insertProject,
  knownUsers,
  listProjects,
  loadProject,
  type ProjectFields,
  readAgain,
  saveProject,
} from './projects.store.ts';
import { shownCard } from './moves/taken.ts';

const list = bind(projectList, async (context, { limit, cursor }) => {
  const after = keyIn(cursor, () => z.tuple([z.string()]))?.[0] ?? null;
  const found = await listProjects(context.db, context.caller, 'work.project.read', {
    after,
    count: limit + 1,
  });
  return pageOf(found, limit, (p) => [p.key]);
});

/** Throws where the fields cannot be: definitions that hold nothing, people who are no users. */
async function checkFields(
  db: Reader,
  fields: ProjectFields & { members?: string[] | undefined },
): Promise<void> {
  stop(refusedDefinitions(fields.custom_fields ?? [], 'custom_fields'));
  const people = [...(fields.lead ? [fields.lead] : []), ...(fields.members ?? [])];
  const known = people.length > 0 ? await knownUsers(db, people) : [];
  const bad = (['lead', 'members'] as const).filter((name) =>
    [fields[name] ?? []].flat().some((id) => !known.includes(id.toLowerCase())),
  );
  if (bad.length > 0)
    throw invalid(
      `${bad.join(' and ')}: no user has that id`,
      Object.fromEntries(bad.map((name) => [name, `${name}: no user has that id`])),
    );
}

const create = bind(projectCreate, async (context, args) => {
  await checkFields(context.db, args);
  const { members, ...given } = args;
  const project = await insertProject(context.db, given, members, context.now);
  if (!project) throw nameTaken('a project', 'key');
  context.tell('work', project.id);
  return { project };
});

const get = bind(projectGet, async (context, args) => {
  const project = await loadProject(context.db, context.caller, 'work.project.read', args.project);
  return {
    project,
    item_fields: fieldsTogether(project.custom_fields, await fieldsOf(context.db, 'work_item')),
  };
});

const update = bind(projectUpdate, async (context, { project: ref, revision, members, ...change }) => {
  const project = await loadProject(context.db, context.caller, 'work.project.write', ref);
  context.about(projectName(project.key));
  await checkFields(context.db, { ...change, members });
  const saved = await saveProject(context.db, project, revision, change, members, context.now);
  if (!saved) {
    const now = (await readAgain(context.db, project.id)).revision;
    throw changedSince(`project ${project.key}`, now);
  }
  context.tell('work', saved.id);
  return { project: saved };
});

const board = bind(projectBoard, async (context, args) => {
  const { project, columns } = await loadBoard(context.db, context.caller, 'work.item.read', args.project);
  const { column_titles, ...shown } = project;
  const titled = columns.map(({ cards, ...column }) => ({
    ...column,
    title: column_titles[column.status] ?? TITLES[column.status],
    cards: cards.map((card) => shownCard(card, context)),
  }));
  return { project: shown, columns: fairlyCut(titled) };
});

const TITLES = {
  backlog: 'Backlog',
  todo: 'To do',
  in_progress: 'In progress',
  in_review: 'In review',
  done: 'Done',
  cancelled: 'Cancelled',
} as const;

export const projectHandlers: Bound[] = [list, create, get, update, board];
