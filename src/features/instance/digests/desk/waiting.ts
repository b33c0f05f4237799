// What waits for a person, for the digest of the instance: approvals, letters, people whom no one has answered, drafted answers,
// late work and deals that no one touches.
import { DAY_MS, after } from '../../../../kernel/clock.ts';
import type { ReadContext } from '../../../../kernel/context.ts';
import { screenUrl } from '../../../../kernel/links.rules.ts';
import { approvalList } from '../../../work/approvals/contract.ts';
import { visibleIds } from '../../../work/work/projects.store.ts';
import { inboxCounts, inboxList } from '../../../inbox/threads/contract.ts';
import { lettersWaiting, reviewedLetters } from '../outreach/letters.store.ts';
import { draftedAnswers, staleDeals } from '../people/people.store.ts';
import { FIRST_LINES, fewOf, fewOfAll, section, short, shortOrNull } from '../section.ts';
import type { Span } from '../span.ts';
import { overdueItems } from './work.store.ts';

/** As many as deals_digest takes where nothing is said. */
const STALE_DAYS = 14;
const NOTE_MAX = 200;

export async function waitingOf(context: ReadContext, span: Span) {
  const { db, caller, now, app } = context;
  const { instance } = app;
  return {
    approvals: await section(context, 'approval.read', null, () =>
      fewOfAll(
        (cursor) => context.invoke(approvalList, { limit: 200, cursor }),
        (row) => ({
          approval_id: row.id,
          kind: row.kind,
          key: row.subject.key,
          title: short(row.subject.title),
          author: short(row.author.name),
          since: row.created_at,
          sign_at: screenUrl(instance, 'approval', row.id),
        }),
        FIRST_LINES,
      ),
    ),
    letters: await section(context, 'outreach.send.read', null, async () => ({
      ...(await lettersOf(context)),
      sign_at: screenUrl(instance, 'review'),
    })),
    returned: await section(context, 'outreach.send.read', null, async () => {
      const { rows, count } = await reviewedLetters(db, caller, span, FIRST_LINES);
      return fewOf(
        rows,
        (row) => ({
          send_id: row.id,
          campaign_id: row.campaign_id,
          person: shortOrNull(row.person),
          outcome: row.outcome,
          note: shortOrNull(row.note, NOTE_MAX),
          at: row.at.toISOString(),
        }),
        { count },
      );
    }),
    unanswered: await section(context, 'inbox.thread.read', null, async () => {
      const counts = await context.invoke(inboxCounts, {});
      const { items } = await context.invoke(inboxList, { state: 'unanswered', limit: FIRST_LINES });
      return {
        unanswered: counts.unanswered,
        mine: counts.unanswered_mine,
        by_reading: counts.by_reading,
        oldest: items.map((row) => ({
          thread_id: row.id,
          person: shortOrNull(row.person_name),
          reading: row.reading,
          waiting_since: row.waiting_since,
        })),
      };
    }),
    drafts: await section(context, 'inbox.thread.read', null, async () => {
      const { rows, count } = await draftedAnswers(db, caller, FIRST_LINES);
      return fewOf(
        rows,
        (row) => ({
          answer_id: row.id,
          thread_id: row.thread_id,
          person: shortOrNull(row.person),
          by: short(row.by),
          updated_at: row.updated_at.toISOString(),
        }),
        { count },
      );
    }),
    overdue: await section(context, 'work.item.read', null, async () => {
      const projects = await visibleIds(db, caller, 'work.item.read');
      const { rows, count } = await overdueItems(db, caller, projects, now, FIRST_LINES);
      return fewOf(
        rows,
        ({ id, key, title, due_on }) => ({
          item_id: id,
          key,
          title: short(title),
          due_on,
        }),
        { count },
      );
    }),
    stale_deals: await section(context, 'crm.deal.read', null, async () => {
      const before = after(now, -STALE_DAYS * DAY_MS);
      const { rows, count } = await staleDeals(db, caller, before, undefined, FIRST_LINES);
      return fewOf(
        rows,
        ({ id, name, stage, updated_at }) => ({
          deal_id: id,
          name: short(name),
          stage,
          untouched_since: updated_at,
        }),
        { count },
      );
    }),
  };
}

async function lettersOf({ db, caller }: ReadContext) {
  const rows = await lettersWaiting(db, caller);
  const sum = (state: string, some = rows): number =>
    some.reduce((all, row) => all + (row.state === state ? row.count : 0), 0);
  const campaigns = [...new Set(rows.map(({ campaign_id }) => campaign_id))]
    .map((campaign_id) => {
      const mine = rows.filter((row) => row.campaign_id === campaign_id);
      return {
        campaign_id,
        review: sum('review', mine),
        held: sum('held', mine),
        uncertain: sum('uncertain', mine),
        oldest: new Date(Math.min(...mine.map(({ oldest }) => oldest.getTime()))).toISOString(),
      };
    })
    .sort((a, b) => a.oldest.localeCompare(b.oldest));
  return {
    review: sum('review'),
    held: sum('held'),
    uncertain: sum('uncertain'),
    by_campaign: fewOf(campaigns, (each) => each, { max: FIRST_LINES }),
  };
}
