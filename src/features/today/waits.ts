// What waits on time alone: letters that go by themselves, conversations that come back, events that are tried again.
import type { ReadScene } from '../../kernel/scene.ts';
import { type NextLetter, nextLetters } from '../digests/letters.store.ts';
import { allPages } from '../digests/section.ts';
import { identityList } from '../identities/contract.ts';
import { WAITS, type WaitReason } from '../sends/reasons.rules.ts';
import type { TodaySection } from './contract.ts';
import { many, row, section } from './section.ts';
import { COUNTED_MAX, eventsAgain, snoozed } from './store.ts';

export async function waitsOf(scene: ReadScene): Promise<(TodaySection | null)[]> {
  return [
    await section(scene, 'letters_wait', 'outreach.send.read', '/sends?state=scheduled', () =>
      letters(scene),
    ),
    await section(scene, 'snoozed', 'inbox.thread.read', '/inbox?state=snoozed', async () => {
      const { count, next } = await snoozed(scene.db, scene.caller);
      const rows =
        count === 0
          ? []
          : [
              row({
                key: 'snoozed',
                id: 'snoozed',
                title: `${upTo(count, 'conversation')} snoozed`,
                says: 'They come back by themselves, and at once when somebody writes.',
                until: next?.toISOString() ?? null,
                who: 'time',
                place: '/inbox?state=snoozed',
              }),
            ];
      return { rows };
    }),
    await section(scene, 'events_wait', 'admin.event.read', '/settings/integrations', async () => {
      const { count, next } = await eventsAgain(scene.db, scene.caller);
      const rows =
        count === 0
          ? []
          : [
              row({
                key: 'events_wait',
                id: 'events_wait',
                title: `${upTo(count, 'event')} tried again`,
                says: 'Their receiver did not take them yet.',
                until: next?.toISOString() ?? null,
                who: 'time',
                place: '/settings/integrations',
              }),
            ];
      return { rows };
    }),
  ];
}

const upTo = (count: number, one: string): string =>
  `${count >= COUNTED_MAX ? 'At least ' : ''}${many(count, `${one} is`, `${one}s are`)}`;

/** By what each sender's next letter waits for; senders whose letters wait for a person are not here. */
async function letters(scene: ReadScene) {
  const identities = await allPages((cursor) => scene.invoke(identityList, { limit: 200, cursor }));
  const active = identities.filter((identity) => identity.active && identity.domain_state === 'active');
  const next = (
    await nextLetters(
      scene.db,
      scene.caller,
      active.map(({ id }) => id),
    )
  ).filter(({ scheduled }) => scheduled > 0);
  const groups = new Map<string, NextLetter[]>();
  for (const letter of next) {
    const why = reasonOf(letter, scene.now);
    if (why in WAITS && WAITS[why as WaitReason].who !== 'time') continue;
    groups.set(why, [...(groups.get(why) ?? []), letter]);
  }
  const rows = [...groups].map(([why, all]) => {
    const times = all.flatMap(({ asleep_until, due_at }) => asleep_until ?? due_at ?? []);
    const until = times.length === 0 ? null : new Date(Math.min(...times.map((at) => at.getTime())));
    const count = all.reduce((sum, { scheduled }) => sum + scheduled, 0);
    return row({
      key: `waits:${why}`,
      id: why,
      title: `${many(count, 'letter is', 'letters are')} scheduled`,
      says:
        why in WAITS
          ? `${WAITS[why as WaitReason].says} ${WAITS[why as WaitReason].fix}`
          : 'They go by themselves when they are due.',
      until: until !== null && until > scene.now ? until.toISOString() : null,
      who: 'time',
      place: '/sends?state=scheduled',
    });
  });
  return { rows: rows.sort((a, b) => (a.until ?? '').localeCompare(b.until ?? '')) };
}

function reasonOf({ asleep_until, asleep_why, waiting_for }: NextLetter, now: Date): string {
  if (asleep_until !== null && asleep_until > now && asleep_why !== null) return asleep_why;
  return waiting_for ?? 'scheduled';
}
