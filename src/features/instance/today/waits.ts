// What waits only for time: scheduled letters, snoozed conversations, and events that are tried again.
import type { ReadContext } from '../../../kernel/context.ts';
import { type NextLetter, nextLetters } from '../digests/outreach/letters.store.ts';
import { allPages } from '../digests/section.ts';
import { identityList } from '../../outreach/identities/contract.ts';
import { reasonOfNext, turnOfNext } from '../digests/outreach/next.rules.ts';
import { WAITS, waitText } from '../../outreach/sends/letter/reasons.rules.ts';
import type { TodaySection } from './contract.ts';
import { many, row, section } from './section.ts';
import { COUNTED_MAX, eventsAgain, snoozed } from './store.ts';

export async function waitsOf(context: ReadContext): Promise<(TodaySection | null)[]> {
  return [
    await section(context, 'letters_wait', 'outreach.send.read', '/sends?state=scheduled', () =>
      letters(context),
    ),
    await section(context, 'snoozed', 'inbox.thread.read', '/inbox?state=snoozed', async () => {
      const { count, next } = await snoozed(context.db, context.caller);
      const rows =
        count === 0
          ? []
          : [
              row({
                key: 'snoozed',
                id: 'snoozed',
                title: `${upTo(count, 'conversation')} snoozed`,
                says: 'They return automatically, or as soon as someone writes.',
                until: next?.toISOString() ?? null,
                who: 'time',
                place: '/inbox?state=snoozed',
              }),
            ];
      return { rows };
    }),
    await section(context, 'events_wait', 'admin.event.read', '/settings/integrations', async () => {
      const { count, next } = await eventsAgain(context.db, context.caller);
      const rows =
        count === 0
          ? []
          : [
              row({
                key: 'events_wait',
                id: 'events_wait',
                title: `${upTo(count, 'event')} waiting to be retried`,
                says: 'Your receiver hasn’t accepted them yet.',
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

const turnWord = (letter: NextLetter, now: Date): string =>
  turnOfNext(letter, now) === null ? 'scheduled' : letter.busy ? 'in_line' : 'soon';

/** By what each sender's next letter waits for; senders whose letters wait for a person are not here. */
async function letters(context: ReadContext) {
  const identities = await allPages((cursor) => context.invoke(identityList, { limit: 200, cursor }));
  const active = identities.filter((identity) => identity.active && identity.domain_state === 'active');
  const next = (
    await nextLetters(
      context.db,
      context.caller,
      active.map(({ id }) => id),
      context.now,
    )
  ).filter(({ scheduled }) => scheduled > 0);
  const groups = new Map<string, NextLetter[]>();
  for (const letter of next) {
    const why = reasonOfNext(letter, context.now);
    if (why && WAITS[why].who !== 'time') continue;
    // Mail servers that are down differ by their cause.
    const key =
      why === 'transport_down'
        ? `${why} ${letter.down_cause ?? ''}`.trim()
        : (why ?? turnWord(letter, context.now));
    groups.set(key, [...(groups.get(key) ?? []), letter]);
  }
  const rows = [...groups].map(([key, all]) => {
    const [one] = all as [NextLetter];
    const why = reasonOfNext(one, context.now);
    const said = why ? waitText(why, { cause: one.down_cause }) : turnOfNext(one, context.now);
    const times = all.flatMap(({ asleep_until, due_at }) => asleep_until ?? due_at ?? []);
    const until = times.length === 0 ? null : new Date(Math.min(...times.map((at) => at.getTime())));
    const count = all.reduce((sum, { scheduled }) => sum + scheduled, 0);
    return row({
      key: `waits:${key}`,
      id: key,
      title: `${many(count, 'letter is', 'letters are')} scheduled`,
      // That it leaves by itself is said by where it is: under what is scheduled.
      says: said?.says ?? 'They’re sent when they’re due.',
      until: until !== null && until > context.now ? until.toISOString() : null,
      who: 'time',
      place: '/sends?state=scheduled',
    });
  });
  return { rows: rows.sort((a, b) => (a.until ?? '').localeCompare(b.until ?? '')) };
}
