// The handlers of the audit log and of the activity.
import { z } from 'zod';
import { invalid } from '../../../kernel/refusal.ts';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { bind } from '../../../kernel/context.ts';
import { id } from '../../../kernel/shapes.ts';
import { activityRows } from './activity.store.ts';
import { activityList, auditList, auditSeal } from './contract.ts';
import { firstIdAt, NOUNS, thingOf } from './nouns.rules.ts';
import { calledOf } from './records.store.ts';
import { newestSeal } from './seals.store.ts';
import { auditRows } from './store.ts';

export const list = bind(auditList, async ({ db, caller }, { limit, cursor, ...filter }) => {
  const before = keyIn(cursor, () => z.tuple([id]));
  return pageOf(
    await auditRows(db, caller, { ...filter, before: before?.[0] ?? null, count: limit + 1 }),
    limit,
    (row) => [row.id],
  );
});

export const activity = bind(activityList, async ({ db, caller }, asked) => {
  const { limit, cursor, noun, id: which, from, to, ...filter } = asked;
  if (which !== undefined && noun === undefined) {
    const says = 'noun is required with id: say what kind of record the id belongs to';
    throw invalid(says, { noun: says });
  }
  const key = keyIn(cursor, () => z.tuple([id]))?.[0];
  const end = to === undefined ? undefined : firstIdAt(new Date(to));
  const rows = await activityRows(db, caller, {
    ...filter,
    noun: noun && NOUNS[noun],
    resource: noun && which && `${NOUNS[noun]}/${which}`,
    first: from === undefined ? undefined : firstIdAt(new Date(from)),
    before: key !== undefined && end !== undefined ? (key < end ? key : end) : (key ?? end),
    count: limit + 1,
  });
  const things = rows.flatMap(({ resource }) => thingOf(resource) ?? []);
  const called = await calledOf(db, caller, things);
  const named = rows.map((row) => {
    const thing = thingOf(row.resource);
    return { ...row, record: (thing && called.get(`${thing.noun} ${thing.id.toLowerCase()}`)) ?? null };
  });
  return pageOf(named, limit, (row) => [row.id]);
});

export const seal = bind(auditSeal, async ({ db }) => {
  const head = await newestSeal(db);
  return {
    seal: head && {
      number: head.number,
      hash: head.hash,
      until: head.until_at.toISOString(),
    },
  };
});
