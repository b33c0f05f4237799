// Checks all gates once more when everything but the end of a letter has been sent, in the transaction that lets it finish.
// Nothing reaches `sending` any other way.
import type { App } from '../../../../kernel/app.ts';
import { MINUTE_MS, after } from '../../../../kernel/clock.ts';
import { countedDay, nextSlot } from '../../../../mail/timing/pacing.rules.ts';
import { dayIn } from '../../../../mail/timing/windows.rules.ts';
import { lockBatchesOf } from '../../../crm/imports/batch.store.ts';
import type { LetterFacts } from '../gates/facts.rules.ts';
import { factsOf } from '../gates/facts.store.ts';
import { gates, type GateName } from '../gates/gates.rules.ts';
import type { SendingIdentity } from './identity.store.ts';
import type { LetterRow } from './store.ts';
import { countersOf, lockToStart, start } from './start.store.ts';
import type { Stop } from '../gates/stop.rules.ts';

/** How long a letter is held at once; it is kept up while this process lives. */
export const LEASE_MS = MINUTE_MS;

export type StoppedLetter = { gate: GateName; stop: Stop };

/** The letter may end; or a gate is shut by now; or it is no longer ours, or says something else. */
export type Start = 'started' | 'lost' | StoppedLetter;

/** Thrown to undo the transaction; never seen outside. */
class NotStarted extends Error {
  readonly why: Exclude<Start, 'started'>;
  constructor(why: Exclude<Start, 'started'>) {
    super('the letter does not start');
    this.why = why;
  }
}

/** The facts, with what the sender itself learned of the identity's outgoing mail and has not written down yet. */
export function withBackoff(facts: LetterFacts, { backoff }: SendingIdentity): LetterFacts {
  const known = facts.backoff?.down?.until;
  if (!facts.backoff || !backoff.down_until || (known && known >= backoff.down_until)) return facts;
  const down = { until: backoff.down_until, cause: null, since: null };
  return { ...facts, backoff: { ...facts.backoff, down } };
}

export async function startLetter(
  app: App,
  letter: LetterRow,
  lease: string,
  identity: SendingIdentity,
  asked: LetterFacts,
): Promise<Start> {
  const { clock, database } = app;
  try {
    await database.transact(async (tx) => {
      const starting = {
        ...letter,
        lease,
        first_touch: asked.letter.first_touch,
        campaign_timezone: asked.campaign?.timezone ?? null,
        identity: { id: identity.id, timezone: identity.timezone, domain_id: identity.domain.id },
      };
      const asking = clock.now();
      const counters = countersOf(starting, asking);
      const locked = await lockToStart(tx, starting, counters);
      // Of the moment at which it is our turn: another letter may have started while we waited.
      const now = clock.now();
      const isNewDay = JSON.stringify(countersOf(starting, now)) !== JSON.stringify(counters);
      if (!locked || isNewDay) throw new NotStarted('lost');
      const facts = (await factsOf(tx, [letter.id], now, app)).get(letter.id);
      if (!facts) throw new NotStarted('lost');
      const stop = gates(withBackoff(facts, identity), now);
      if (stop) throw new NotStarted(stop);
      const { ramp_start, ramp_step, ramp_ceiling, ramp_day, ramp_counted_on, warned } = locked;
      const ramp = countedDay(
        { start: ramp_start, step: ramp_step, day: ramp_day, ceiling: ramp_ceiling },
        { counted_on: ramp_counted_on, today: dayIn(now, identity.timezone), warned },
      );
      const started = {
        next_slot_at: nextSlot(now, locked, Math.random()),
        ramp,
        until: after(now, LEASE_MS),
      };
      await start(tx, starting, counters, started, now);
      if (letter.person_id !== null) await lockBatchesOf(tx, [letter.person_id], letter.id, now);
    });
    return 'started';
  } catch (error) {
    if (error instanceof NotStarted) return error.why;
    throw error;
  }
}
