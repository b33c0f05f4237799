// The digest of what tokens and agents did, read off the audit log: who did how much of what, and what they were refused.
import { bind } from '../../kernel/scene.ts';
import { activityDigest } from './contract.ts';
import type { Next } from './frame.contract.ts';
import { fewOf, framed, section, short } from './section.ts';
import { sinceOf } from './since.ts';
import { type Activity, activitySince, LOOKED_AT_MAX } from './work.store.ts';

export const activity = bind(activityDigest, async (scene, { since: said, actor }) => {
  const since = sinceOf(said, scene.now, 1);
  const shown = await section(scene, 'admin.audit.read', 'admin:audit', async () => {
    const { rows, looked_at, from } = await activitySince(scene.db, since, actor);
    const complete = looked_at < LOOKED_AT_MAX || (from !== null && from <= since);
    return {
      done: sumOf(rows, 'done'),
      refused: sumOf(rows, 'refused'),
      faults: sumOf(rows, 'fault'),
      complete,
      from: complete ? since.toISOString() : (from?.toISOString() ?? null),
      actors: fewOf(grouped(rows, actorKey), ([first, all]) => ({
        kind: first.kind,
        id: first.id,
        name: short(first.token ?? first.name),
        for: first.for === null ? null : short(first.for),
        done: sumOf(all, 'done'),
        refused: sumOf(all, 'refused'),
        last_at: lastOf(all),
      })),
      acts: fewOf(
        grouped(rows, ({ act }) => act),
        ([{ act }, all]) => ({ act, done: sumOf(all, 'done'), refused: sumOf(all, 'refused') }),
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
    { what: 'Read each act.', with: 'GET /api/admin/audit', who: 'agent' },
    { what: 'Read what one actor did.', with: 'activity_digest {"actor": …}', who: 'agent' },
    {
      what: 'Take a token away.',
      with: 'DELETE /api/admin/tokens/:token',
      who: 'agent',
    },
  ];
  return framed(scene, { since: since.toISOString(), activity: shown }, next);
});

const actorKey = ({ kind, id, token, for: person }: Activity): string =>
  `${kind} ${id} ${token ?? ''} ${person ?? ''}`;

const sumOf = (rows: readonly Activity[], outcome: Activity['outcome']): number =>
  rows.reduce((sum, row) => sum + (row.outcome === outcome ? row.count : 0), 0);

const lastOf = (rows: readonly Activity[]): string =>
  new Date(Math.max(...rows.map(({ last_at }) => last_at.getTime()))).toISOString();

/** Rows of one key together, the largest group first. */
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
  const size = (all: readonly Activity[]): number => all.reduce((sum, { count }) => sum + count, 0);
  return [...groups.values()].sort(([, a], [, b]) => size(b) - size(a));
}
