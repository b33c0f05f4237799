// Writes down what became of letters, a few at a time: only of rows that still carry the lease they were worked on under.
import type { Transaction } from '../../../../kernel/ground.ts';
import type { LaneNews, Settlement } from './outcome.ts';
import type { SendingIdentity } from './identity.store.ts';

/** Whose rows these are, still under their lease: in one order, prospects before letters. */
export async function lockSettled(
  tx: Transaction,
  settled: readonly { id: string; lease: string; prospect_id: string | null }[],
): Promise<Set<string>> {
  const prospects = settled.flatMap(({ prospect_id }) => prospect_id ?? []);
  if (prospects.length > 0)
    await tx`select from prospects where id = any(${prospects}::uuid[]) order by id for no key update`;
  const rows = await tx<{ id: string }[]>`
    select s.id from sends s
    join unnest(${settled.map(({ id }) => id)}::uuid[], ${settled.map(({ lease }) => lease)}::uuid[]) as h (id, lease)
      on s.id = h.id and s.lease = h.lease
    where s.state in ('scheduled', 'sending', 'uncertain') order by s.id for update of s`;
  return new Set(rows.map(({ id }) => id));
}

export async function saveSent(tx: Transaction, ids: readonly string[], now: Date): Promise<void> {
  await tx`
    update sends set state = 'sent', sent_at = ${now}, delivery = 'accepted', delivery_at = ${now}, lease = null,
      lease_until = null, waiting_for = null, not_before = null, attempts = attempts + 1, revision = revision + 1,
      updated_at = ${now}
    where id = any(${[...ids]}::uuid[])`;
}

const FREE = { lease: null, lease_until: null } as const;

export async function freeLetter(tx: Transaction, id: string): Promise<void> {
  await tx`update sends set ${tx(FREE)} where id = ${id}`;
}

/** A letter that was let out and that nobody took is on its way as before; it is stopped from there. */
export async function untake(tx: Transaction, id: string): Promise<void> {
  await tx`
    update sends set state = 'scheduled', sending_at = null, sending_via = null
    where id = ${id} and state = 'sending'`;
}

/** Every other end of an attempt. A letter that nobody took goes back to waiting, also from `sending`. */
export async function saveSettlement(
  tx: Transaction,
  id: string,
  settlement: Exclude<Settlement, { to: 'sent' | 'held' | 'cancelled' }>,
  now: Date,
): Promise<void> {
  const set = (columns: Record<string, unknown>) =>
    tx`update sends set ${tx({ ...columns, updated_at: now } as never)}, revision = revision + 1 where id = ${id}`;
  switch (settlement.to) {
    case 'waiting': {
      const { why, until, counts } = settlement;
      await tx`
        update sends set state = 'scheduled', lease = null, lease_until = null, waiting_for = ${why},
          not_before = ${until}, attempts = attempts + ${counts ? 1 : 0},
          first_attempt_at = case when ${counts} then coalesce(first_attempt_at, ${now}) else first_attempt_at end,
          revision = revision + 1, updated_at = ${now}
        where id = ${id}`;
      return;
    }
    case 'failed': {
      const { reason, delivery } = settlement;
      await tx`
        update sends set state = 'failed', failed_reason = ${reason}, delivery = ${delivery}, delivery_at = ${now},
          lease = null, lease_until = null, waiting_for = null, not_before = null, attempts = attempts + 1,
          first_attempt_at = coalesce(first_attempt_at, ${now}), revision = revision + 1, updated_at = ${now}
        where id = ${id}`;
      return;
    }
    case 'uncertain':
      await set({ state: 'uncertain', lease_until: null, waiting_for: null });
      return;
    case 'due':
      await set({ ...FREE, state: 'scheduled' });
      return;
    case 'asked_again':
      // In nobody's hands until then: it keeps no place in the lane of its identity.
      await tx`update sends set lease = null, lease_until = ${settlement.at} where id = ${id} and state = 'sending'`;
  }
}

/** What was learned of an identity's way out, at the revisions at which it was learned. */
export async function saveLane(
  tx: Transaction,
  { id, revision, domain }: SendingIdentity,
  news: Exclude<LaneNews, { kind: 'refused' }>,
  now: Date,
): Promise<void> {
  const row = {
    identity_id: id,
    identity_revision: revision,
    domain_revision: domain.revision,
    asleep_until: news.kind === 'asleep' || news.kind === 'down' ? news.until : null,
    asleep_why: news.kind === 'asleep' ? news.why : news.kind === 'down' ? 'transport_down' : null,
    failures: news.kind === 'down' ? news.failures : 0,
    down_until: news.kind === 'down' ? news.until : null,
    down_cause: news.kind === 'down' ? news.cause : null,
    down_since: news.kind === 'down' ? now : null,
    breaks: news.kind === 'down' || news.kind === 'broke' ? news.breaks : 0,
  };
  // What it says nothing of stays, unless that is of older revisions.
  const kept = (column: string) => tx`
    ${tx(column)} = case when sender_lanes.identity_revision = excluded.identity_revision
      and sender_lanes.domain_revision = excluded.domain_revision
      then sender_lanes.${tx(column)} else excluded.${tx(column)} end`;
  const said = (column: string) => tx`${tx(column)} = excluded.${tx(column)}`;
  const sleep = ['asleep_until', 'asleep_why'];
  const way = ['failures', 'down_until', 'down_cause', 'breaks'];
  const keeps = news.kind === 'asleep' ? [...way, 'down_since'] : news.kind === 'broke' ? sleep : [];
  const set = [...sleep, ...way].map((column) => (keeps.includes(column) ? kept(column) : said(column)));
  // Since the first failure in a row.
  const since = keeps.includes('down_since')
    ? kept('down_since')
    : tx`down_since = case when excluded.down_since is not null and sender_lanes.failures > 0
        and sender_lanes.identity_revision = excluded.identity_revision
        then coalesce(sender_lanes.down_since, excluded.down_since) else excluded.down_since end`;
  const columns = [...set, since].reduce((all, each) => tx`${all}, ${each}`);
  await tx`
    insert into sender_lanes ${tx(row)}
    on conflict (identity_id) do update set identity_revision = excluded.identity_revision,
      domain_revision = excluded.domain_revision, ${columns}`;
}

/** A host that refused or put off a letter was spoken to: the next letter keeps its distance from this one too. */
export async function keepDistance(
  tx: Transaction,
  identity: string,
  draw: number,
  now: Date,
): Promise<void> {
  await tx`
    update identities set next_slot_at = greatest(next_slot_at,
      ${now}::timestamptz + make_interval(secs => min_gap_s + jitter_s * ${draw}::float8))
    where id = ${identity}`;
}
