// Segments: save, list, change, delete, and who is in one.
import { z } from 'zod';
import type { Reader } from '../../../kernel/ground.ts';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { changedSince, nameTaken, stop } from '../../../kernel/refusal.ts';
import { bind, bindAsking, type ReadScene, type WriteScene } from '../../../kernel/scene.ts';
import { asRefusal } from '../fields/rules.ts';
import { fieldsOf } from '../fields/store.ts';
import { checkedFilter, type Match, refusedAsCostly } from '../people/filter.rules.ts';
import { listPeople } from '../people/store.ts';
import {
  type SegmentFilter,
  type Segment,
  segmentCount,
  segmentCreate,
  segmentDelete,
  segmentList,
  segmentPeople,
  segmentUpdate,
} from './contract.ts';
import { countOnce, countOrNull, openCounts } from './count.ts';
import {
  deleteSegment,
  insertSegment,
  listSegments,
  loadSegment,
  loadSegmentMatch,
  lockSegment,
  matchNow,
  saveSegment,
  segmentAfter,
  segmentName,
  withCount,
} from './store.ts';

export const list = bind(segmentList, async ({ db, caller, now }, { limit, cursor }) => {
  const after = keyIn(cursor, () => z.tuple([z.string()]));
  const found = await listSegments(db, caller, after?.[0] ?? null, limit + 1);
  const page = pageOf(found, limit, (it) => it.key);
  const counts = openCounts(db, caller, now);
  const items: Segment[] = [];
  for (const { segment } of page.items) items.push(await withCount(db, segment, counts));
  return { ...page, items };
});

/** The conditions of a filter that was given, or the refusal that names every fault of it. */
async function matchOfGiven(db: Reader, filter: SegmentFilter): Promise<Match> {
  const checked = checkedFilter(filter, await fieldsOf(db, 'person'));
  if ('faults' in checked) throw asRefusal(checked.faults);
  stop(refusedAsCostly(checked.match));
  return checked.match;
}

/** Counted before the act's transaction, which waits for nobody's count. */
async function touched(scene: WriteScene, id: string, count: number | null) {
  scene.about(segmentName(id));
  scene.tell('segments', id);
  const segment = await segmentAfter(scene.db, id);
  return { segment: await withCount(scene.db, segment, () => Promise.resolve(count)) };
}

export const create = bindAsking(
  segmentCreate,
  async (scene, { filter }) => countOrNull(scene, await matchOfGiven(scene.db, filter)),
  async (scene, { name, filter }, counted) => {
    await matchOfGiven(scene.db, filter);
    const author = { by: scene.caller.principal, now: scene.now };
    const id = await insertSegment(scene.db, name, filter, author);
    if (id === null) throw nameTaken('a segment');
    return await touched(scene, id, counted);
  },
);

export const count = bind(segmentCount, async (scene, { filter }) => ({
  count: await countOnce(scene, await matchOfGiven(scene.db, filter)),
}));

async function countOfChange(
  scene: ReadScene,
  id: string,
  filter: SegmentFilter | undefined,
): Promise<number | null> {
  const segment = await loadSegment(scene.db, scene.caller, 'crm.segment.write', id);
  if (filter) return countOrNull(scene, await matchOfGiven(scene.db, filter));
  const held = await matchNow(scene.db, segment.filter);
  return 'match' in held ? countOrNull(scene, held.match) : null;
}

export const update = bindAsking(
  segmentUpdate,
  (scene, { segment, filter }) => countOfChange(scene, segment, filter),
  async (scene, { segment: id, revision, name, filter }, counted) => {
    const { db, caller, now } = scene;
    const segment = await lockSegment(db, caller, 'crm.segment.write', id);
    scene.about(segmentName(segment.id));
    if (segment.revision !== revision) throw changedSince('this segment', segment.revision);
    if (filter) await matchOfGiven(db, filter);
    const change = { name: name ?? segment.name, filter: filter ?? segment.filter };
    if (!(await saveSegment(db, segment, change, now))) throw nameTaken('a segment');
    return await touched(scene, segment.id, counted);
  },
);

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
