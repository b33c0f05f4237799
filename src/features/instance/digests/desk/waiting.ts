// What waits for a person, for the digest of the instance: approvals, letters, and people whom no one has answered.
import type { ReadContext } from '../../../../kernel/context.ts';
import { approvalList } from '../../../work/approvals/contract.ts';
import { inboxCounts, inboxList } from '../../../inbox/threads/contract.ts';
import { lettersWaiting } from '../outreach/letters.store.ts';
import { FIRST_LINES, fewOf, fewOfPage, section, short, shortOrNull } from '../section.ts';

/** Approvals that are counted; beyond them there are more. */
const COUNTED = 100;

export async function waitingOf(context: ReadContext) {
  return {
    approvals: await section(context, 'approval.read', null, async () =>
      fewOfPage(
        await context.invoke(approvalList, { limit: COUNTED }),
        (row) => ({
          approval_id: row.id,
          kind: row.kind,
          key: row.subject.key,
          title: short(row.subject.title),
          author: short(row.author.name),
          since: row.created_at,
        }),
        FIRST_LINES,
      ),
    ),
    letters: await section(context, 'outreach.send.read', null, () => lettersOf(context)),
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
