// What a desk's metrics are by each way of asking: digests, statistics, the routes that screens read, and plain SQL. For a
// property test: the same metric for the same span is the same number.
import { expect } from 'vitest';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { REACHED } from '../../src/kernel/metrics.rules.ts';
import type { TestApp } from './app.ts';
import type { RandomDesk } from './random-desk.ts';

const O = '/api/admin/outreach';
const SUMMED = ['letters', 'sent', 'replied', 'positive', 'bounced', 'letters_bounced', 'unsubscribed'];

export async function agrees(app: TestApp, { agent, person, campaigns, project }: RandomDesk): Promise<void> {
  const ask = async (name: string, args: Record<string, unknown> = {}): Promise<any> => {
    const told = await agent.tool(name, args);
    expect(told.isError, `${name}: ${told.text}`).toBe(false);
    return told.json;
  };
  const get = async (path: string): Promise<any> => {
    const answer = await person.rest('GET', path);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body;
  };
  const one = async (query: Promise<{ n: number }[]>): Promise<number> => (await query)[0]?.n ?? 0;
  const { sql } = app;

  // Whole days, since statistics have no others.
  const midnight = Math.floor(app.clock.now().getTime() / DAY_MS) * DAY_MS;
  const day = (at: number): string => new Date(at).toISOString().slice(0, 10);
  const [since, until] = [new Date(midnight - 10 * DAY_MS), new Date(midnight - 2 * DAY_MS)];
  const span = { since: since.toISOString(), until: until.toISOString() };

  for (const [begin, end] of [
    [since, until],
    [new Date(midnight - 80 * DAY_MS), null],
  ] as const) {
    const asked = { since: begin.toISOString(), ...(end && { until: end.toISOString() }) };
    const last = end ?? new Date(app.clock.now().getTime() + 1);
    const [from, to] = [day(begin.getTime()), day(last.getTime() - 1)];
    const instance = await ask('instance_digest', asked);
    const stats = await get(`${O}/stats?from=${from}&to=${to}`);
    const { from: _, to: __, ...figures } = instance.changed.figures;
    expect(figures, 'instance_digest and stats').toEqual(stats.totals);
    const each = await Promise.all(
      campaigns.map(({ id }) => get(`${O}/stats?campaign=${id}&from=${from}&to=${to}`)),
    );
    for (const [name, count] of Object.entries(stats.totals))
      expect([name, each.reduce((sum, { totals }) => sum + totals[name], 0)]).toEqual([name, count]);
    for (const [reached, stages] of Object.entries(REACHED)) {
      const truth = await one(sql`
        select count(*)::int as n from (select min(at) as at from prospect_facts
          where kind = 'stage' and details ->> 'to' = any(${[...stages]}::text[]) group by prospect_id) f
        where (f.at at time zone 'UTC')::date between ${from}::date and ${to}::date`);
      const name = reached === 'meeting' ? 'meetings' : reached;
      expect([name, stats.totals[name]], 'stats and SQL').toEqual([name, truth]);
    }
    const replies = await ask('replies_digest', asked);
    expect(replies.replies.by_reading, 'replies').toEqual(instance.changed.replies);
    expect(replies.replies.replies).toBe(
      await one(sql`select count(*)::int as n from touches where direction = 'in' and channel <> 'chat'
        and at >= ${begin} and at < ${last}`),
    );
    const { closed } = await ask('deals_digest', asked);
    for (const state of ['won', 'lost']) {
      const truth = await one(sql`select count(*)::int as n from deals where state = ${state}
        and closed_at >= ${begin} and closed_at < ${last}`);
      expect([closed[state].count, instance.changed.deals[state]], state).toEqual([truth, truth]);
    }
    expect(instance.changed.deals.opened).toBe(
      await one(
        sql`select count(*)::int as n from deals where created_at >= ${begin} and created_at < ${last}`,
      ),
    );
    expect(instance.changed.work.created).toBe(
      await one(
        sql`select count(*)::int as n from work_items where created_at >= ${begin} and created_at < ${last}`,
      ),
    );
    const { activity } = await ask('activity_digest', asked);
    for (const [name, where] of [
      ['done', sql`outcome = 'done' and not rehearsed`],
      ['rehearsed', sql`rehearsed`],
      ['refused', sql`outcome = 'refused'`],
    ] as const)
      expect([name, activity[name]]).toEqual([
        name,
        await one(sql`select coalesce(sum(times), 0)::int as n from audit where ${where} and at >= ${begin} and at < ${last}
          and (token_id is not null or principal_kind in ('agent', 'service'))`),
      ]);
  }

  // What was before is what the same digest says of that span.
  const length = until.getTime() - since.getTime();
  const earlier = { since: new Date(since.getTime() - length).toISOString(), until: span.since };
  for (const name of ['replies_digest', 'instance_digest', 'deals_digest']) {
    const now = await ask(name, { ...span, compare: 'previous' });
    const then = await ask(name, earlier);
    const at = (said: any) => said.replies ?? said.changed ?? said.closed;
    const { previous } = at(now);
    const plain = name === 'deals_digest' ? at(then) : { ...earlier, ...at(then) };
    expect(previous, name).toEqual(plain);
  }

  for (const { id } of campaigns) {
    const { campaign } = await ask('campaign_digest', { campaign: id });
    const { overview } = await get(`${O}/campaigns/${id}/overview`);
    const listed = (await get(`${O}/campaigns?limit=200`)).items.find((row: { id: string }) => row.id === id);
    expect(overview.counts, 'overview and list').toEqual(listed.counts);
    expect(campaign.counts, 'digest and overview').toEqual(overview.counts);
    const { steps, no_step } = await ask('sequence_digest', { campaign: id });
    const sums = Object.fromEntries(
      SUMMED.map((name) => [name, steps.reduce((sum: number, row: any) => sum + row[name], no_step[name])]),
    );
    for (const name of ['replied', 'positive', 'bounced', 'unsubscribed', 'sent'])
      expect([name, sums[name]], 'steps').toEqual([name, overview.counts[name]]);
    for (const [reached, stages] of Object.entries(REACHED)) {
      const truth = await one(sql`
        select count(distinct f.prospect_id)::int as n from prospect_facts f join prospects p on p.id = f.prospect_id
        where p.campaign_id = ${id} and f.kind = 'stage' and f.details ->> 'to' = any(${[...stages]}::text[])`);
      const name = reached === 'meeting' ? 'meetings' : reached;
      expect([name, overview.counts[name]], 'overview and SQL').toEqual([name, truth]);
    }
  }

  const { waiting } = await ask('instance_digest');
  const held = await ask('held_digest');
  const byState = async (state: string) =>
    one(sql`select count(*)::int as n from sends where state = ${state}`);
  for (const state of ['review', 'held', 'uncertain'])
    expect([state, waiting.letters[state]]).toEqual([state, await byState(state)]);
  expect(held.held.count).toBe(waiting.letters.held);
  expect(held.oldest.count).toBe(waiting.letters.held);
  const replies = await ask('replies_digest');
  const counts = await get('/api/inbox/counts');
  const listed = await get('/api/inbox?state=unanswered&limit=200');
  expect([replies.unanswered.count, counts.unanswered, listed.items.length], 'unanswered').toEqual(
    Array(3).fill(waiting.unanswered.unanswered),
  );
  expect(replies.unread.count).toBe(counts.by_reading['unread'] ?? 0);
  expect(waiting.drafts.count).toBe(
    await one(sql`select count(*)::int as n from answers where state = 'draft'`),
  );
  const work = await ask('work_digest', { project: project.key });
  const overdue = (await get('/api/work/items?overdue=true&limit=200')).items.length;
  expect([work.overdue.count, overdue], 'overdue').toEqual([waiting.overdue.count, waiting.overdue.count]);
  expect(work.review.parked).toBe(waiting.approvals.count);
  const deals = await ask('deals_digest');
  expect(deals.stale.count).toBe(waiting.stale_deals.count);
  const returned = (await get(`${O}/sends?state=drafted&returned=true&limit=200`)).items.length;
  const rejected = await get(
    `${O}/sends?state=cancelled&returned=true&limit=200&since=${new Date(app.clock.now().getTime() - DAY_MS).toISOString()}`,
  );
  expect(waiting.returned.count).toBe(returned + rejected.items.length);
}
