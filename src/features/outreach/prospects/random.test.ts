// Owns what is true of a place in a campaign whatever is done to it, in any order and at any time: the spine never goes back,
// whoever is over has no letter on its way, no one is written to twice at one step, and a person's hold is no one's to take.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS, after } from '../../../kernel/clock.ts';
import type { Transaction } from '../../../kernel/database.ts';
import { aCampaign, aDesk, type Desk, O, somebody } from '../../../../test/support/letters.ts';
import { openTestApp, type TestApp, type TokenClient } from '../../../../test/support/app.ts';
import { STAGES } from '../../crm/people/stages.rules.ts';
import { holdAway, holdProspect, releaseProspect } from './stepping/hold.store.ts';
import { endProspect, moveSpine } from './spine/move.store.ts';
import { STEPPING } from './names.rules.ts';
import { RANK, type Stage } from './spine/spine.rules.ts';
import { letterWent } from './stepping/steps.store.ts';

let app: TestApp;
let desk: Desk;
/** A session would end while the clock is moved. */
let token: TokenClient;

beforeAll(async () => {
  app = await openTestApp();
  desk = await aDesk(app);
  token = await app.token({ scopes: { wire: true } });
});
afterAll(() => app.close());

type Place = {
  stage: Stage;
  ended: string | null;
  next_at: Date | null;
  hold_by: string | null;
  hold_until: Date | null;
};

const placeOf = async (id: string): Promise<Place> => {
  const [row] = await app.sql<Place[]>`
    select stage, ended, next_at, hold_by, hold_until from prospects where id = ${id}`;
  if (!row) throw new Error('gone');
  return row;
};

const acts = ['step', 'went', 'away', 'hold', 'release', 'remove', 'wait', 'spine', 'spine'] as const;

async function perform(id: string, act: (typeof acts)[number], days: number, stage: Stage): Promise<void> {
  const now = app.clock.now();
  const inTransaction = (work: (tx: Transaction) => Promise<unknown>) =>
    app.instance.app.database.transact(work);
  switch (act) {
    case 'step':
      return void (await app.instance.jobs.run('stepping'));
    case 'wait':
      return app.clock.advance(days * DAY_MS);
    case 'went': {
      const [letter] = await app.sql<{ id: string; step_id: string }[]>`
        update sends set state = 'sent', sending_at = ${now}, sent_at = ${now}, delivery = 'accepted'
        where prospect_id = ${id} and state in ('review', 'scheduled') returning id, step_id`;
      if (letter)
        await inTransaction((tx) =>
          letterWent(tx, { prospect_id: id, step_id: letter.step_id, at: now }, now),
        );
      return;
    }
    case 'away':
      return void (await inTransaction((tx) =>
        holdAway(tx, { prospect_id: id, until: after(now, days * DAY_MS), reason: 'away' }, STEPPING, now),
      ));
    case 'hold':
      return void (await inTransaction((tx) =>
        holdProspect(tx, { prospect_id: id, by: 'person', reason: 'mine', until: null }, STEPPING, now),
      ));
    case 'release':
      return void (await inTransaction((tx) => releaseProspect(tx, id, STEPPING, now)));
    case 'remove':
      return void (await inTransaction((tx) => endProspect(tx, id, 'removed', STEPPING, now)));
    case 'spine': {
      const move = { prospect_id: id, stage, cause: 'person' } as const;
      return void (await inTransaction((tx) => moveSpine(tx, move, STEPPING, now)));
    }
  }
}

test('in any order of acts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.tuple(fc.constantFrom(...acts), fc.integer({ min: 1, max: 9 }), fc.constantFrom(...STAGES)),
        { maxLength: 14 },
      ),
      async (plan) => {
        const campaign = await aCampaign(app, desk);
        for (const position of [1, 2])
          await app.sql`insert into sequence_steps ${app.sql({
            id: crypto.randomUUID(),
            campaign_id: campaign.id,
            position,
            kind: 'letter',
            wait_days: 2,
            subject: 'Again',
            text: 'Me again.',
          })}`;
        const person = await somebody(app);
        await token.rest('POST', `${O}/campaigns/${campaign.id}/enrol`, { people: [person.id] });
        const [row] = await app.sql<
          { id: string }[]
        >`select id from prospects where campaign_id = ${campaign.id}`;
        const id = row?.id ?? '';
        let before = await placeOf(id);
        for (const [act, days, stage] of plan) {
          await perform(id, act, days, stage);
          const now = await placeOf(id);
          expect(RANK[now.stage]).toBeGreaterThanOrEqual(RANK[before.stage]);
          if (before.ended !== null) expect(now.ended).toBe(before.ended);
          if (before.hold_by === 'person' && act !== 'release' && act !== 'hold')
            expect(now.hold_by).toBe('person');
          const open = await app.sql`
            select 1 from sends where prospect_id = ${id} and state in ('drafted', 'review', 'scheduled', 'held')`;
          expect(open.length).toBeLessThanOrEqual(now.ended === null ? 1 : 0);
          const twice = await app.sql`
            select step_id from sends where prospect_id = ${id} and state <> 'cancelled' group by step_id having count(*) > 1`;
          expect(twice).toHaveLength(0);
          if (now.ended !== null) expect(now.next_at).toBeNull();
          before = now;
        }
      },
    ),
    { numRuns: 40 },
  );
});
