// The digest of what tokens and agents did, read off the audit log and the log of reads: who did and read how much of what, and
// what they were refused.
import { bind } from '../../../../kernel/context.ts';
import { activityDigest } from '../contract.ts';
import type { Next } from '../frame.contract.ts';
import { fewOf, framed, section, short } from '../section.ts';
import { sinceOf } from '../since.ts';
import { actsSince, type Activity, LOOKED_AT_MAX, readsSince } from './activity.store.ts';

export const activity = bind(activityDigest, async (context, { since: said, actor }) => {
  const since = sinceOf(said, context.now, 1);
  const shown = await section(context, 'admin.audit.read', 'admin:audit', async () => {
    const logs = await Promise.all([
      actsSince(context.db, since, actor),
      readsSince(context.db, since, actor),
    ]);
    const rows = logs.flatMap((log) => log.rows);
    // As far as both logs were gone through: further back than the one that was cut, only the other speaks.
    const cut = logs.flatMap(({ looked_at, from }) =>
      looked_at < LOOKED_AT_MAX || from === null || from <= since ? [] : [from.getTime()],
    );
    const complete = cut.length === 0;
    return {
      done: sumOf(rows, 'done'),
      refused: sumOf(rows, 'refused'),
      faults: sumOf(rows, 'fault'),
      reads: sumOf(rows, 'read'),
      complete,
      from: complete ? since.toISOString() : new Date(Math.max(...cut)).toISOString(),
      actors: fewOf(grouped(rows, actorKey), ([first, all]) => ({
        kind: first.kind,
        id: first.id,
        name: short(first.token ?? first.name),
        for: first.for === null ? null : short(first.for),
        done: sumOf(all, 'done'),
        refused: sumOf(all, 'refused'),
        reads: sumOf(all, 'read'),
        last_at: lastOf(all),
      })),
      acts: fewOf(
        grouped(rows, ({ act }) => act),
        ([{ act }, all]) => ({
          act,
          done: sumOf(all, 'done'),
          refused: sumOf(all, 'refused'),
          reads: sumOf(all, 'read'),
        }),
      ),
      refusals: fewOf(
        grouped(
          rows.filter(({ outcome }) => outcome === 'refused'),
          ({ code, sentence }) => `${code} ${sentence}`,
        ),
        ([first, all]) => ({
          count: sumOf(all, 'refused'),
          code: first.code ?? '',
          sentence: short(first.sentence ?? '', 300),
          acts: [...new Set(all.map(({ act }) => act))].slice(0, 5),
          last_at: lastOf(all),
        }),
      ),
    };
  });
  const next: Next[] = [
    { what: 'List every act and read.', with: 'GET /api/admin/activity', who: 'agent' },
    { what: 'Read what one actor did.', with: 'activity_digest {"actor": …}', who: 'agent' },
    {
      what: 'Revoke a token.',
      with: 'DELETE /api/admin/tokens/:token',
      who: 'agent',
    },
  ];
  return framed(context, { since: since.toISOString(), activity: shown }, next);
});

const actorKey = ({ kind, id, token, for: person }: Activity): string =>
  `${kind} ${id} ${token ?? ''} ${person ?? ''}`;

const sumOf = (rows: readonly Activity[], outcome: Activity['outcome']): number =>
  rows.reduce((sum, row) => sum + (row.outcome === outcome ? row.count : 0), 0);

const lastOf = (rows: readonly Activity[]): string =>
  new Date(Math.max(...rows.map(({ last_at }) => last_at.getTime()))).toISOString();

/** Rows of one key together: the group that did most first, reads counting only between equals. */
function grouped(
  rows: readonly Activity[],
  key: (row: Activity) => string,
): [first: Activity, all: Activity[]][] {
  const groups = new Map<string, [Activity, Activity[]]>();
  for (const row of rows) {
    const group = groups.get(key(row));
    if (group) group[1].push(row);
    else groups.set(key(row), [row, [row]]);
  }
  const size = (all: readonly Activity[], reads: boolean): number =>
    all.reduce((sum, { count, outcome }) => sum + ((outcome === 'read') === reads ? count : 0), 0);
  return [...groups.values()].sort(
    ([, a], [, b]) => size(b, false) - size(a, false) || size(b, true) - size(a, true),
  );
}
