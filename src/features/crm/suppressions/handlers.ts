// Handlers of suppressions: adding names every fault at once and writes all or nothing; lifting keeps the row.
import { z } from 'zod';
import { keyIn, pageOf } from '../../../kernel/page.ts';
import { refusalNaming } from '../../../kernel/parse.ts';
import { notFound, stop } from '../../../kernel/refusal.ts';
import { bind, type Bound, type WriteContext } from '../../../kernel/context.ts';
import { id, time } from '../../../kernel/shapes.ts';
import { suppressionAdd, suppressionLift, suppressionList, type Wish } from './contract.ts';
import type { HeldLetters } from './held.ts';
import { foundRows, lift, lockSuppression, newestRows } from './list.store.ts';
import { reachOf } from './reach.store.ts';
import { faultOfEnd, faultOfPublic, ruleLift, targetOf } from './rules.ts';
import { suppressAll, type ToSuppress } from './store.ts';

export const list = bind(suppressionList, async ({ db, now }, { limit, cursor, query, ...filter }) => {
  if (query === undefined) {
    const before = keyIn(cursor, () => z.tuple([time, id]));
    const rows = await newestRows(db, filter, before, limit + 1, now);
    return pageOf(rows, limit, (row) => [row.created_at, row.id]);
  }
  const after = keyIn(cursor, () => z.tuple([z.string().max(300), id]));
  const rows = await foundRows(db, query, filter, after, limit + 1, now);
  return pageOf(rows, limit, (row) => [row.value ?? '', row.id]);
});

export const add = bind(
  suppressionAdd,
  async (context, { suppressions: many, dry_run = false, confirm = false, ...one }) => {
    const wishes = wishedFor(many, one, { now: context.now, confirmed: dry_run || confirm });
    const reach = await reachOf(context.db, context.caller, wishes);
    if (dry_run) return { added: 0, reach, dry_run };
    const done = await suppressAll(context.db, wishes, context.caller.principal, context.now);
    const rows = done.map((each) => each.suppression);
    const added = done.filter((each) => each.added).length;
    const [first] = rows;
    if (rows.length === 1 && first) context.about(`outreach:suppression/${first.id}`);
    told(context, first?.id ?? '');
    const answer = { added, reach, dry_run };
    return many ? { suppressions: rows, ...answer } : { ...(first && { suppression: first }), ...answer };
  },
);

export const remove = (letters: HeldLetters): Bound =>
  bind(suppressionLift, async (context, { suppression }) => {
    const row = await lockSuppression(context.db, suppression, context.now);
    if (!row) throw notFound('suppression', 'GET /api/admin/outreach/suppressions lists suppressions');
    const { credential, turn } = context.caller;
    stop(ruleLift(row, credential.kind === 'session' && turn === 'direct'));
    const answer = await lift(context.db, row, context.caller.principal, context.now);
    told(context, row.id);
    // Letters that it held are asked again at once; those of a whole domain within ten minutes.
    if (row.kind === 'address') await letters.wake(context.db, { address_hash: row.value_hash }, context.now);
    context.tell(letters.due, '');
    return answer;
  });

/** People and lists of them show who is suppressed. */
function told(context: WriteContext, suppression: string): void {
  context.tell('suppressions', suppression);
  context.tell('people', '');
}

/** Reads what is to be suppressed, or refuses with every fault of every one of them. */
function wishedFor(
  many: Wish[] | undefined,
  one: Wish,
  { now, confirmed }: { now: Date; confirmed: boolean },
): ToSuppress[] {
  const faults: [name: string, says: string][] = [];
  if (many)
    for (const name of Object.keys(one))
      faults.push([name, `${name}: give one suppression, or many in suppressions, not both`]);
  const wishes = (many ?? [one]).flatMap((wish, at) => {
    const fault = (field: string, says: string) => {
      const name = many ? `suppressions.${at}.${field}` : field;
      faults.push([name, `${name}: ${says}`]);
    };
    const target = targetOf(wish, fault);
    const tooWide = !confirmed && target && faultOfPublic(target);
    if (tooWide) fault('domain', tooWide);
    const reason = wish.reason ?? 'manual';
    const expires_at = wish.expires_at === undefined ? undefined : new Date(wish.expires_at);
    const ill = expires_at && faultOfEnd(reason, expires_at, now);
    if (ill) fault('expires_at', ill);
    const { note, campaign_id } = wish;
    return target ? [{ ...target, reason, source: 'person' as const, note, campaign_id, expires_at }] : [];
  });
  if (faults.length > 0) throw refusalNaming(faults);
  return wishes;
}
