// Segments: save, list, change, delete, and who is in one.
import { z } from 'zod';
import type { Reader } from '../../../kernel/database.ts';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { changedSince, nameTaken, stop } from '../../../kernel/refusal.ts';
import { bind, bindAsking, type ReadContext, type WriteContext } from '../../../kernel/context.ts';
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

/** Counted before the act's transaction, which waits for no one's count. */
async function touched(context: WriteContext, id: string, count: number | null) {
  context.about(segmentName(id));
  context.tell('segments', id);
  const segment = await segmentAfter(context.db, id);
  return { segment: await withCount(context.db, segment, () => Promise.resolve(count)) };
}

export const create = bindAsking(
  segmentCreate,
  async (context, { filter }) => countOrNull(context, await matchOfGiven(context.db, filter)),
  async (context, { name, filter }, counted) => {
    await matchOfGiven(context.db, filter);
    const author = { by: context.caller.principal, now: context.now };
    const id = await insertSegment(context.db, name, filter, author);
    if (id === null) throw nameTaken('a segment');
    return await touched(context, id, counted);
  },
  'asks',
);

export const count = bind(segmentCount, async (context, { filter }) => ({
  count: await countOnce(context, await matchOfGiven(context.db, filter)),
}));

async function countOfChange(
  context: ReadContext,
  id: string,
  filter: SegmentFilter | undefined,
): Promise<number | null> {
  const segment = await loadSegment(context.db, context.caller, 'crm.segment.write', id);
  if (filter) return countOrNull(context, await matchOfGiven(context.db, filter));
  const held = await matchNow(context.db, segment.filter);
  return 'match' in held ? countOrNull(context, held.match) : null;
}

export const update = bindAsking(
  segmentUpdate,
  (context, { segment, filter }) => countOfChange(context, segment, filter),
  async (context, { segment: id, revision, name, filter }, counted) => {
    const { db, caller, now } = context;
    const segment = await lockSegment(db, caller, 'crm.segment.write', id);
    context.about(segmentName(segment.id));
    if (segment.revision !== revision) throw changedSince('this segment', segment.revision);
    if (filter) await matchOfGiven(db, filter);
    const change = { name: name ?? segment.name, filter: filter ?? segment.filter };
    if (!(await saveSegment(db, segment, change, now))) throw nameTaken('a segment');
    return await touched(context, segment.id, counted);
  },
  'asks',
);

export const remove = bind(segmentDelete, async (context, args) => {
  const segment = await lockSegment(context.db, context.caller, 'crm.segment.delete', args.segment);
  context.about(segmentName(segment.id));
  await deleteSegment(context.db, segment);
  context.tell('segments', segment.id);
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
