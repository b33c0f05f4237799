// Several identities, each with letters and a mail server of its own, for tests of what one server costs the others.
import { newId } from '../../src/kernel/ids.ts';
import {
  seedCampaign,
  seedDomain,
  seedIdentity,
  seedLetters,
  seedPeople,
  type SeededIdentity,
} from './seed.ts';
import { BASE_URL } from './desk.ts';
import type { TestApp } from '../support/app.ts';

export type SlotOptions = {
  port: number;
  letters: number;
  /** People's answers among them. */
  answers?: number;
  columns?: Record<string, unknown>;
};

export type Backoff = { identity: SeededIdentity; letters: string[]; answers: string[] };

export type Backoffs = {
  slots: Backoff[];
  /** How many of these have left. */
  left(ids: readonly string[]): Promise<number>;
  /** Until all of these have left; milliseconds. */
  untilLeft(ids: readonly string[], mostMs: number): Promise<number>;
  more(backoff: number, count: number, kind: 'letters' | 'answers'): Promise<string[]>;
};

/** Everything before is gone. */
export async function makeSlots(app: TestApp, wishes: readonly SlotOptions[]): Promise<Backoffs> {
  const { sql, clock, instance } = app;
  await sql`truncate sends, prospects, campaigns, identities, domains, people, letters_started, suppressions,
            send_outcomes, event_deliveries, sender_lanes, send_facts cascade`;
  const site = { sql, sealer: instance.app.sealer, base_url: BASE_URL };
  const now = clock.now();
  const domain = await seedDomain(site, now);
  const due = async (identity: SeededIdentity, count: number, kind: 'letters' | 'answers') => {
    if (count === 0) return [];
    const at = clock.now();
    const campaign = await seedCampaign(site, app.admin.id, at, { columns: { name_key: newId() } });
    const people = await seedPeople(site, campaign, () => identity, at, count);
    // An answer is in no campaign; whoever wrote to us is told nothing about unsubscribing.
    const columns =
      kind === 'answers' ? { kind: 'answer', campaign_id: null, prospect_id: null, step_id: null } : {};
    const letters = await seedLetters(site, campaign, people, () => identity, app.admin.id, at, {
      columns,
    });
    return letters.map(({ id }) => id);
  };
  const slots: Backoff[] = [];
  for (const [n, { port, letters, answers = 0, columns = {} }] of wishes.entries()) {
    const identity = await seedIdentity(site, domain, now, { local: `from${n}`, port, columns });
    slots.push({
      identity,
      letters: await due(identity, letters, 'letters'),
      answers: await due(identity, answers, 'answers'),
    });
  }
  const left = async (ids: readonly string[]): Promise<number> => {
    const [row] = await sql<{ n: number }[]>`
      select count(*)::int as n from sends where id = any(${[...ids]}::uuid[]) and state = 'sent'`;
    return row!.n;
  };
  return {
    slots,
    left,
    async untilLeft(ids, mostMs) {
      const from = performance.now();
      while ((await left(ids)) < ids.length) {
        if (performance.now() - from > mostMs) {
          const stand = await sql`
            select state, coalesce(hold_reason, waiting_for, failed_reason) as why, lease is not null as leased, count(*)::int as n
            from sends where id = any(${[...ids]}::uuid[]) group by 1, 2, 3`;
          throw new Error(`not all left within ${Math.round(mostMs)} ms: ${JSON.stringify(stand)}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
      return performance.now() - from;
    },
    more: (backoff, count, kind) => due(slots[backoff]!.identity, count, kind),
  };
}
