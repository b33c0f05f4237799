// The digest of one project: its columns, what waits for review, who works on what, what is stuck and what is late.
import { DAY_MS } from '../../../../kernel/clock.ts';
import { bind, type ReadContext } from '../../../../kernel/context.ts';
import { projectBoard, projectGet } from '../../../work/work/contract.ts';
import { loadProject } from '../../../work/work/projects.store.ts';
import { workDigest } from '../contract.ts';
import type { Next } from '../frame.contract.ts';
import { fewOf, framed, isShown, LINES_MAX, section, short } from '../section.ts';
import { type OpenItem, openItems, type WhichItems } from './work.store.ts';

const READ = 'work.item.read';

export const work = bind(workDigest, async (context, { project: ref }) => {
  const project = await section(context, 'work.project.read', null, async () => {
    const { project: row } = await context.invoke(projectGet, { project: ref });
    return { id: row.id, key: row.key, name: short(row.name) };
  });
  const columns = await section(context, READ, null, async () => {
    const board = await context.invoke(projectBoard, { project: ref });
    return Object.fromEntries(board.columns.map(({ status, count }) => [status, count]));
  });
  const review = await section(context, READ, null, () => reviewOf(context, ref));
  const claims = await section(context, READ, null, async () =>
    lines(await itemsOf(context, ref, 'claimed'), (item) => ({
      holder: {
        kind: item.claim_kind ?? 'system',
        id: item.claim_id ?? '',
        name: short(item.claim_name ?? ''),
      },
      expires_at: (item.claim_expires_at ?? context.now).toISOString(),
    })),
  );
  const blocked = await section(context, READ, null, async () =>
    lines(await itemsOf(context, ref, 'blocked'), ({ blockers }) => ({ open_blockers: blockers })),
  );
  const overdue = await section(context, READ, null, async () =>
    lines(await itemsOf(context, ref, 'overdue'), ({ due_on, status }) => ({ due_on: due_on ?? '', status })),
  );
  const todo = isShown(columns) ? (columns['todo'] ?? 0) : 0;
  const next: Next[] = [
    ...(isShown(review) && review.parked > 0
      ? [
          {
            what: 'Decide what is parked.',
            with: `POST /api/approvals/:approval/decide`,
            who: 'person' as const,
          },
        ]
      : []),
    ...(isShown(review) && review.headroom === 0
      ? [
          {
            what: 'No new claims until a parked item is decided.',
            with: 'approvals_inbox {}',
            who: 'person' as const,
          },
        ]
      : []),
    ...(todo > 0
      ? [
          {
            what: 'Take the best free item.',
            with: `work_claim {"project": ${JSON.stringify(ref)}}`,
            who: 'agent' as const,
          },
        ]
      : []),
    { what: 'Read one item.', with: 'work_get {"item_id": …}', who: 'agent' },
    { what: 'Find other items.', with: `work_search {"project": ${JSON.stringify(ref)}}`, who: 'agent' },
  ];
  return framed(context, { project, columns, review, claims, blocked, overdue }, next);
});

type Items = { rows: OpenItem[]; count: number };

async function itemsOf(
  context: ReadContext,
  ref: string,
  which: WhichItems,
): Promise<Items & { review_limit: number }> {
  const { db, caller, now } = context;
  const { id, review_limit } = await loadProject(db, caller, READ, ref);
  return { ...(await openItems(db, caller, id, which, now, LINES_MAX)), review_limit };
}

const lines = <L extends object>({ rows, count }: Items, more: (item: OpenItem) => L) =>
  fewOf(rows, (item) => ({ item_id: item.id, key: item.key, title: short(item.title), ...more(item) }), {
    count,
  });

async function reviewOf(context: ReadContext, ref: string) {
  const found = await itemsOf(context, ref, 'parked');
  return {
    limit: found.review_limit,
    parked: found.count,
    headroom: Math.max(found.review_limit - found.count, 0),
    items: lines(found, ({ approval_id, author, parked_at }) => ({
      approval_id,
      author: short(author),
      parked_at: parked_at?.toISOString() ?? null,
      days:
        parked_at &&
        Math.max(Math.round(((context.now.getTime() - parked_at.getTime()) / DAY_MS) * 10) / 10, 0),
    })),
  };
}
