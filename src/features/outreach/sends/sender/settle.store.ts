// Writes down what happened to letters, a few at a time: only of rows that still carry the lease they were worked on under.
import type { Transaction } from '../../../../kernel/database.ts';
import type { BackoffChange } from './outcome.ts';
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

/** One that a vendor may have is in no one's hands until it is asked again: it keeps no place in the slot of its identity. */
export async function asksAgainAt(tx: Transaction, id: string, at: Date): Promise<void> {
  await tx`update sends set lease = null, lease_until = ${at} where id = ${id} and state = 'sending'`;
}

/** What was learned of an identity's outgoing mail, at the revisions at which it was learned. */
export async function saveBackoff(
  tx: Transaction,
  { id, revision, domain }: SendingIdentity,
  changes: Exclude<BackoffChange, { kind: 'refused' }>,
  now: Date,
): Promise<void> {
  const row = {
    identity_id: id,
    identity_revision: revision,
    domain_revision: domain.revision,
    asleep_until: changes.kind === 'asleep' || changes.kind === 'down' ? changes.until : null,
    asleep_why: changes.kind === 'asleep' ? changes.why : changes.kind === 'down' ? 'transport_down' : null,
    failures: changes.kind === 'down' ? changes.failures : 0,
    down_until: changes.kind === 'down' ? changes.until : null,
    down_cause: changes.kind === 'down' ? changes.cause : null,
    down_since: changes.kind === 'down' ? now : null,
    breaks: changes.kind === 'down' || changes.kind === 'broke' ? changes.breaks : 0,
  };
  // What it says nothing of stays, unless that is of older revisions.
  const kept = (column: string) => tx`
    ${tx(column)} = case when sender_lanes.identity_revision = excluded.identity_revision
      and sender_lanes.domain_revision = excluded.domain_revision
      then sender_lanes.${tx(column)} else excluded.${tx(column)} end`;
  const said = (column: string) => tx`${tx(column)} = excluded.${tx(column)}`;
  const sleep = ['asleep_until', 'asleep_why'];
  const way = ['failures', 'down_until', 'down_cause', 'breaks'];
  const keeps = changes.kind === 'asleep' ? [...way, 'down_since'] : changes.kind === 'broke' ? sleep : [];
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
