// Checks that the board's reads are served by indexes at 100,000 items: the queries that the store really sends are
// caught on the way and explained, so the test cannot drift from the code.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, openPlans, type Plans, scansIn } from '../../../../test/support/plans.ts';
import { listApprovals, loadApproval } from '../approvals/store.ts';
import { loadBoard, searchItems, type ItemSearch } from './board/board.store.ts';
import { countParked, loadItem, lockNext } from './item/items.store.ts';
import { listProjects, loadProject } from './projects.store.ts';
import { findWorker, listWorkers } from './item/relations.store.ts';
import { listChanges, listComments } from './moves/talk.store.ts';
import { searchQuery } from '../../../kernel/words.ts';

const PROJECTS = 10;
const CARDS_EACH = 10_000;

let plans: Plans;
let sql: Plans['sql'];

beforeAll(async () => {
  plans = await openPlans();
  ({ sql } = plans);
  await plans.seed(`
    insert into work_projects (id, key, name, created_at, updated_at)
      select gen_random_uuid(), 'P' || p, 'Project ' || p, now(), now() from generate_series(1, ${PROJECTS}) p;
    insert into work_items (id, project_id, number, title, status, priority, labels, assignee_kind, assignee_id, assignee_name,
        author_kind, author_id, author_name, needs_review, position, created_at, updated_at, completed_at, search)
      select gen_random_uuid(), p.id, n, 'Card ' || n,
        (array['backlog', 'todo', 'in_progress', 'done', 'cancelled'])[1 + n % 5]::work_status,
        (array['none', 'low', 'medium', 'high', 'urgent'])[1 + n % 5]::work_priority,
        array['label-' || n % 40],
        case when n % 3 = 0 then 'agent' end, case when n % 3 = 0 then 'worker-' || n % 20 end, case when n % 3 = 0 then 'w' end,
        'person', 'x', 'X', false, n, now(), now() - n * interval '1 minute',
        case when n % 5 = 3 then now() end,
        array_to_tsvector(array['card', 'word-' || n % 2000, 'p' || '-' || n])
      from work_projects p, generate_series(1, ${CARDS_EACH}) n;
    insert into approvals (id, kind, subject_kind, subject_id, subject_key, subject_title, subject_revision, project_id,
        requested_by_kind, requested_by_id, requested_by_name, author_kind, author_id, author_name, state, decided_by_kind,
        decided_by_id, decided_by_name, decided_at, created_at)
      select gen_random_uuid(), 'work_review', 'item', id, 'P-' || number, title, 1, project_id, 'agent', 'a', 'a', 'agent', 'a', 'a',
        case when number % 50 = 0 then 'pending' else 'approved' end,
        case when number % 50 <> 0 then 'person' end, case when number % 50 <> 0 then 'p' end, case when number % 50 <> 0 then 'P' end,
        case when number % 50 <> 0 then now() end, updated_at
      from work_items where number % 5 = 0;
    insert into work_comments (id, item_id, author_kind, author_id, author_name, text, at)
      select gen_random_uuid(), id, 'person', 'p', 'P', 'text', now() from work_items where number % 4 = 0;
    insert into work_changes (id, item_id, at, by_kind, by_id, by_name, field)
      select gen_random_uuid(), id, now(), 'person', 'p', 'P', 'title' from work_items where number % 10 = 0;
    insert into work_blocks (project_id, item_id, blocked_by_id)
      select a.project_id, a.id, b.id from work_items a join work_items b on b.project_id = a.project_id and b.number = a.number + 1
      where a.number % 20 = 0;
  `);
});
afterAll(async () => plans?.close());

/** A handful of rows each, on any instance. */
const SMALL = ['work_projects', 'work_project_members', 'users', 'tokens'];
const scans = async (read: () => Promise<unknown>): Promise<string[]> =>
  scansIn(await plans.ofRead(read), SMALL);

test('the board of ten thousand cards is read through an index, in well under a second', async () => {
  const from = performance.now();
  expect(await scans(() => loadBoard(sql, ADMIN, 'work.item.read', 'P3'))).toEqual([]);
  expect(performance.now() - from).toBeLessThan(1_000);
});

test('projects with the counts of their columns are one query, through an index', async () => {
  const page = { after: null, count: 51 };
  const explained = await plans.ofRead(() => listProjects(sql, ADMIN, 'work.project.read', page));
  expect(explained).toHaveLength(1);
  expect(scansIn(explained, SMALL)).toEqual([]);
});

test('every search is read through an index', async () => {
  const [p1, p2] = await sql<{ id: string }[]>`select id from work_projects order by key limit 2`;
  const one = [p1!.id];
  const two = [p1!.id, p2!.id];
  const after = [
    new Date(Date.now() - 86_400_000).toISOString(),
    '0198c0de-0000-7000-8000-000000000001',
  ] as const;
  const searches: Partial<ItemSearch>[] = [
    {},
    { projects: one },
    { projects: two },
    { projects: [] },
    { status: 'todo' },
    { status: 'in_review' },
    { projects: one, status: 'done' },
    { projects: one, status: 'in_review' },
    { priority: 'urgent' },
    { projects: one, priority: 'high', status: 'todo' },
    { projects: two, priority: 'low' },
    { key: { project: 'P3', number: 77 } },
    { projects: one, key: { project: 'P1', number: 77 } },
    { key: { project: 'NONE', number: 77 } },
    { assignee: 'worker-7' },
    { assignee: 'nobody' },
    { assignee: 'none' },
    { projects: one, assignee: 'worker-7', status: 'todo' },
    { label: 'label-3' },
    { label: 'no-such' },
    { projects: two, label: 'label-3' },
    { words: searchQuery('word-17') ?? '' },
    { words: searchQuery('card') ?? '' },
    { words: searchQuery('P-17') ?? '' },
    { projects: one, words: searchQuery('card') ?? '' },
    { projects: one, words: searchQuery('nothing like it') ?? '' },
  ];
  for (const search of searches)
    for (const from of [null, after])
      expect(
        await scans(() =>
          searchItems(sql, ADMIN, 'work.item.read', { projects: 'all', after: from, count: 51, ...search }),
        ),
      ).toEqual([]);
});

test('one card, its comments, its history, the next to claim and the count of the parked are read through indexes', async () => {
  const [row] = await sql<{ id: string }[]>`select id from work_items where number = 60 limit 1`;
  const item = await loadItem(sql, ADMIN, 'work.item.read', row!.id);
  expect(await scans(() => loadItem(sql, ADMIN, 'work.item.read', item.id))).toEqual([]);
  expect(await scans(() => listComments(sql, item, null, 51))).toEqual([]);
  expect(await scans(() => listChanges(sql, item, null, 51))).toEqual([]);
  expect(await scans(() => countParked(sql, item.project_id))).toEqual([]);
  const project = await loadProject(sql, ADMIN, 'work.project.read', 'P1');
  expect(
    await scans(() =>
      sql.begin((tx) => lockNext(tx, ADMIN, 'work.item.claim', project, ADMIN.principal, new Date())),
    ),
  ).toEqual([]);
});

test('those a card can be given to are found through an index, for a caller who sees a part', async () => {
  const everything = { effect: 'allow' as const, actions: ['*'], resources: ['*'] };
  const policies = [{ name: 'member', statements: [everything] }];
  const caller = { ...ADMIN, rights: { admin: false, policies, projects: ['P1', 'P2', 'P3'] } };
  const page = { query: null, after: null, count: 51 };
  expect(await scans(() => listWorkers(sql, caller, new Date(), page))).toEqual([]);
  const nobody = '0198c0de-0000-7000-8000-00000000dead';
  expect(await scans(() => findWorker(sql, caller, nobody, new Date()))).toEqual([]);
});

test('approvals are read through an index, by state and by project', async () => {
  const list = (more: object) =>
    listApprovals(
      sql,
      ADMIN,
      'approval.read',
      {
        state: 'pending',
        project: undefined,
        kind: undefined,
        subject: undefined,
        after: null,
        count: 51,
        ...more,
      },
      [],
    );
  const [project] = await sql<{ id: string }[]>`select id from work_projects limit 1`;
  const [subject] = await sql<{ subject_id: string }[]>`select subject_id from approvals limit 1`;
  for (const more of [
    {},
    { state: 'any' },
    { state: 'approved' },
    { project: project!.id },
    { project: 'P2' },
    { state: 'any', project: 'P2' },
    { state: 'any', subject: subject!.subject_id },
    { subject: subject!.subject_id, kind: 'work_review' },
  ])
    expect(await scans(() => list(more))).toEqual([]);
  const [approval] = await sql<{ id: string }[]>`select id from approvals limit 1`;
  expect(await scans(() => loadApproval(sql, ADMIN, 'approval.read', approval!.id))).toEqual([]);
});
