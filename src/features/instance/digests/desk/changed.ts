// What changed since a moment, for the digest of the instance: figures of sending, answers, deals and work.
import type { ReadScene } from '../../../../kernel/scene.ts';
import { outreachStats } from '../../../outreach/campaigns/figures.contract.ts';
import { visibleIds } from '../../../work/work/projects.store.ts';
import { closedSince, openedSince } from '../people/people.store.ts';
import { readingsSince } from '../people/replies.ts';
import { section } from '../section.ts';
import { itemsSince } from './work.store.ts';

const day = (at: Date): string => at.toISOString().slice(0, 10);

export async function changedOf(scene: ReadScene, since: Date) {
  const { db, caller, now } = scene;
  return {
    /** By whole days in UTC, the one of `since` among them. */
    figures: await section(scene, 'outreach.stats.read', null, async () => {
      const { totals } = await scene.invoke(outreachStats, { from: day(since), to: day(now) });
      return { ...totals };
    }),
    replies: await section(
      scene,
      'inbox.thread.read',
      null,
      async () => (await readingsSince(scene, since)).by_reading,
    ),
    deals: await section(scene, 'crm.deal.read', null, async () => {
      const closed = await closedSince(db, caller, since, undefined);
      const of = (state: string): number =>
        closed.reduce((sum, row) => sum + (row.state === state ? row.count : 0), 0);
      return { opened: await openedSince(db, caller, since), won: of('won'), lost: of('lost') };
    }),
    work: await section(scene, 'work.item.read', null, async () =>
      itemsSince(db, caller, await visibleIds(db, caller, 'work.item.read'), since),
    ),
  };
}
