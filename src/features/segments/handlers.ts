// Segments: save, list, change, delete, and who is in one.
import { z } from 'zod';
import { keyIn, pageOf } from '../../kernel/page.ts';
import { conflict, type Refusal, stop } from '../../kernel/refusal.ts';
import { bind, type WriteScene } from '../../kernel/scene.ts';
import { asRefusal } from '../fields/rules.ts';
import { fieldsOf } from '../fields/store.ts';
import { checkedFilter } from '../people/filter.rules.ts';
import { countPeople, listPeople } from '../people/store.ts';
import {
  type Filter,
  segmentCount,
  segmentCreate,
  segmentDelete,
  segmentList,
  segmentPeople,
  segmentUpdate,
} from './contract.ts';
import {
  deleteSegment,
  insertSegment,
  listSegments,
  loadSegmentMatch,
  lockSegment,
  saveSegment,
  segmentAfter,
  segmentName,
  withCount,
} from './store.ts';

export const list = bind(segmentList, async ({ db, caller, now }, { limit, cursor }) => {
  const after = keyIn(cursor, () => z.tuple([z.string()]));
  const found = await listSegments(db, caller, after?.[0] ?? null, limit + 1);
  const page = pageOf(found, limit, (it) => it.key);
  const items = [];
  for (const { segment, hidden } of page.items) if (!hidden) items.push(await withCount(db, segment, now));
  return { ...page, items };
});

async function refusedFilter(scene: WriteScene, filter: Filter): Promise<Refusal | null> {
  const checked = checkedFilter(filter, await fieldsOf(scene.db, 'person'));
  return 'faults' in checked ? asRefusal(checked.faults) : null;
}

const nameTaken = (): Refusal => conflict('a segment of that name stands already: choose another name');

async function touched(scene: WriteScene, id: string) {
  scene.about(segmentName(id));
  scene.tell('segments', id);
  return { segment: await withCount(scene.db, await segmentAfter(scene.db, id), scene.now) };
}

export const create = bind(segmentCreate, async (scene, { name, filter }) => {
  stop(await refusedFilter(scene, filter));
  const author = { by: scene.caller.principal, now: scene.now };
  const id = await insertSegment(scene.db, name, filter, author);
  if (id === null) throw nameTaken();
  return await touched(scene, id);
});

export const count = bind(segmentCount, async ({ db, now }, { filter }) => {
  const checked = checkedFilter(filter, await fieldsOf(db, 'person'));
  if ('faults' in checked) throw asRefusal(checked.faults);
  return { count: await countPeople(db, [checked.match], now) };
});

export const update = bind(segmentUpdate, async (scene, { segment: id, revision, name, filter }) => {
  const { db, caller, now } = scene;
  const segment = await lockSegment(db, caller, 'crm.segment.write', id);
  scene.about(segmentName(segment.id));
  if (segment.revision !== revision)
    throw conflict(
      `this segment changed since you read it: the current revision is ${segment.revision}, read it again and retry against that`,
      { revision: segment.revision },
    );
  if (filter) stop(await refusedFilter(scene, filter));
  const change = { name: name ?? segment.name, filter: filter ?? segment.filter };
  if (!(await saveSegment(db, segment, change, now))) throw nameTaken();
  return await touched(scene, segment.id);
});

export const remove = bind(segmentDelete, async (scene, args) => {
  const segment = await lockSegment(scene.db, scene.caller, 'crm.segment.delete', args.segment);
  scene.about(segmentName(segment.id));
  await deleteSegment(scene.db, segment);
  scene.tell('segments', segment.id);
  return { ok: true as const };
});

export const people = bind(segmentPeople, async ({ db, caller, now }, { segment, limit, cursor }) => {
  const match = await loadSegmentMatch(db, caller, 'crm.segment.read', segment);
  const after = keyIn(cursor, () => z.tuple([z.string(), z.guid()]));
  const search = { matches: [match], sort: 'name', after, count: limit + 1 } as const;
  const found = await listPeople(db, caller, 'crm.person.read', search, now);
  const page = pageOf(found, limit, (it) => it.key);
  return { ...page, items: page.items.map((it) => it.person) };
});
