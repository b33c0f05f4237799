// The digest of what tokens and agents did, read off the audit log and the log of reads: who did and read how much of what, and
// what they were refused.
import { bind, type ReadContext } from '../../../../kernel/context.ts';
import { screenUrl } from '../../../../kernel/links.rules.ts';
import { activityList } from '../../../access/audit/contract.ts';
import { tokenList } from '../../../access/tokens/contract.ts';
import { activityDigest } from '../contract.ts';
import { fewOf, framed, section, short, within } from '../section.ts';
import { before, type Span, spanOf, spoken } from '../span.ts';
import { actsIn, type Activity, LOOKED_AT_MAX, readsIn } from './activity.store.ts';

export const activity = bind(activityDigest, async (context, { since, until, compare, actor }) => {
  const span = spanOf({ since, until }, context.now, 1);
  const shown = await section(context, 'admin.audit.read', 'admin:audit', async () => {
    const { rows, complete, from } = await lookedAt(context, span, actor);
    const earlier = before(span);
    const past = compare && (await lookedAt(context, earlier, actor));
    return {
      ...sumsOf(rows),
      ...(past && {
        previous: { ...spoken(earlier, context.now), ...sumsOf(past.rows), complete: past.complete },
      }),
      complete,
      from,
      actors: fewOf(grouped(rows, actorKey), ([first, all]) => ({
        kind: first.kind,
        id: first.id,
        name: short(first.token ?? first.name),
        for: first.for === null ? null : short(first.for),
        done: sumOf(all, 'done'),
        rehearsed: sumOf(all, 'rehearsed'),
        refused: sumOf(all, 'refused'),
        reads: sumOf(all, 'read'),
        last_at: lastOf(all),
      })),
      acts: fewOf(
        grouped(rows, ({ act }) => act),
        ([{ act }, all]) => ({
          act,
          done: sumOf(all, 'done'),
          rehearsed: sumOf(all, 'rehearsed'),
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
  const [first] = within(shown, ({ actors }) => actors.lines, []);
  return framed(context, { ...spoken(span, context.now), activity: shown }, [
    first &&
      actor === undefined && {
        what: 'Read what the busiest actor did.',
        does: activityDigest,
        tool: 'activity_digest',
        with: { actor: first.id },
      },
    {
      what: 'List every act and read.',
      does: activityList,
      with: {},
      open_at: screenUrl(context.app.instance, 'activity'),
    },
    first?.kind !== 'person' &&
      first !== undefined && {
        what: 'List the tokens, to revoke one.',
        does: tokenList,
        with: {},
        open_at: screenUrl(context.app.instance, 'tokens'),
      },
  ]);
});

/** The rows of a span, and how far both logs were gone through: further back than the one that was cut, only the other speaks. */
async function lookedAt({ db }: ReadContext, span: Span, actor: string | undefined) {
  const logs = await Promise.all([actsIn(db, span, actor), readsIn(db, span, actor)]);
  const cut = logs.flatMap(({ looked_at, from }) =>
    looked_at < LOOKED_AT_MAX || from === null || from <= span.since ? [] : [from.getTime()],
  );
  return {
    rows: logs.flatMap((log) => log.rows),
    complete: cut.length === 0,
    from: cut.length === 0 ? span.since.toISOString() : new Date(Math.max(...cut)).toISOString(),
  };
}

const sumsOf = (rows: readonly Activity[]) => ({
  done: sumOf(rows, 'done'),
  rehearsed: sumOf(rows, 'rehearsed'),
  refused: sumOf(rows, 'refused'),
  faults: sumOf(rows, 'fault'),
  reads: sumOf(rows, 'read'),
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
