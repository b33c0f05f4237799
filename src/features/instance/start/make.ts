// Makes a desk of a given size: sample data where someone asks for it on screen, and the larger one of `npm run demo`. One way for
// both; sizes are all that differs.
import type { App } from '../../../kernel/app.ts';
import type { Transaction } from '../../../kernel/database.ts';
import { conflict } from '../../../kernel/refusal.ts';
import { newDkimKey } from '../../../mail/compose/dkim.ts';
import { sealed } from '../../outreach/identities/ways/secrets.ts';
import { draftLetter } from '../../outreach/sends/draft/draft.store.ts';
import { settleThreads } from '../../inbox/threads/record/settle.store.ts';
import { emptyPlan, texts, type Plan, type Size, type Wishes } from './plan.ts';
import { planBoard, planDeals, planEvents, planSender, planStarted } from './plan.desk.ts';
import { planCampaign, type Positive } from './plan.outreach.ts';
import { planPeople } from './plan.people.ts';
import { inTheirHands, insertRows, lookAtRows, takenAmong } from './rows.store.ts';

export const SAMPLE: Size = {
  people: 60,
  campaigns: [
    {
      name: 'Sample: rope for working boats',
      goal: 'Yards that try a metre of line',
      state: 'active',
      people: 48,
      began_days: 16,
      over_days: 20,
    },
  ],
  in_review: 6,
  deals: 8,
  cards: 14,
  parked: 1,
  events: 0,
};

const SEQUENCE = { kind: 'system', id: 'prospects', name: 'the sequence' } as const;
const TAKEN =
  'sample data can’t be created: rename or remove your own record that uses its domain, project key or an address';

/** As many threads are brought up to their touches at once. */
const AT_ONCE = 500;

/** Thinks it all up, outside any transaction: a large desk takes longer than one may wait. */
export async function planDesk(app: Pick<App, 'sealer'>, wishes: Wishes, size: Size): Promise<Plan> {
  const plan = emptyPlan(wishes);
  const key = await newDkimKey('ed25519');
  const sender = planSender(plan, (domain) => ({
    private_key: sealed(app.sealer, 'domains.dkim_private', domain, key.private_key),
    // As a domain keeps it: the record's last part, without what every such record begins with.
    public_key: key.record.replace(/^.*p=/, ''),
  }));
  const people = planPeople(plan, size.people);
  const positives: Positive[] = [];
  let from = 0;
  for (const campaign of size.campaigns) {
    const theirs = people.slice(from, from + campaign.people);
    positives.push(...planCampaign(plan, campaign, sender, theirs));
    from += campaign.people;
  }
  planStarted(plan, sender);
  planDeals(plan, size.deals, positives, people);
  planBoard(plan, size);
  planEvents(plan, size.events);
  return plan;
}

export async function writeDesk(tx: Transaction, app: App, plan: Plan, size: Size): Promise<void> {
  const { now } = plan.wishes;
  if (await takenAmong(tx, plan.rows)) throw conflict(TAKEN);
  await insertRows(tx, plan.rows);
  const threads = texts(plan.rows, 'threads', 'id');
  if (threads.length > AT_ONCE) await lookAtRows(tx);
  for (let at = 0; at < threads.length; at += AT_ONCE)
    await settleThreads(tx, threads.slice(at, at + AT_ONCE), now);
  const soonest = plan.awaiting.toSorted((a, b) => a.scheduled_for.getTime() - b.scheduled_for.getTime());
  for (const pair of soonest.slice(0, size.in_review)) {
    await draftLetter(tx, app, pair, SEQUENCE, now);
    await inTheirHands(tx, pair.prospect_id);
  }
}
