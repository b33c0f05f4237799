// The digest of one project: its columns, what waits for review, who works on what, what is stuck and what is late.
import { DAY_MS } from '../../../../kernel/clock.ts';
import { bind, type ReadContext } from '../../../../kernel/context.ts';
import { screenUrl } from '../../../../kernel/links.rules.ts';
import { approvalDecide, approvalList } from '../../../work/approvals/contract.ts';
import { claimNext } from '../../../work/work/card.contract.ts';
import { itemGet, itemList } from '../../../work/work/items.contract.ts';
import { projectBoard, projectGet } from '../../../work/work/contract.ts';
import { loadProject } from '../../../work/work/projects.store.ts';
import { workDigest } from '../contract.ts';
import { fewOf, framed, LINES_MAX, section, short, within } from '../section.ts';
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
  const todo = within(columns, (found) => found['todo'] ?? 0, 0);
  const parked = within(review, (found) => found.parked, 0);
  const headroom = within(review, (found) => found.headroom, 0);
  const [first] = within(review, ({ items }) => items.lines, []);
  const approval = first?.approval_id ?? null;
  const { instance } = context.app;
  const key = within(project, (found) => found.key, ref);
  const open_at = within(project, (found) => screenUrl(instance, 'project', found.key), null);
  return framed(context, { project, columns, review, claims, blocked, overdue, open_at }, [
    parked > 0 && {
      what:
        headroom === 0
          ? 'List what is parked. No new claims until a person decides one of them.'
          : 'List what is parked.',
      does: approvalList,
      tool: 'approvals_inbox',
      with: { project: key },
      open_at: screenUrl(instance, 'approvals'),
    },
    approval !== null && {
      what: 'Decide what has been parked longest.',
      does: approvalDecide,
      with: { approval },
      sign_at: screenUrl(instance, 'approval', approval),
    },
    todo > 0 &&
      headroom > 0 && {
        what: 'Take the best free item.',
        does: claimNext,
        tool: 'work_claim',
        with: { project: key },
      },
    first && { what: 'Read one item.', does: itemGet, tool: 'work_get', with: { item_id: first.item_id } },
    { what: 'Find other items.', does: itemList, tool: 'work_search', with: { project: key } },
  ]);
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
