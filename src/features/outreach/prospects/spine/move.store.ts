// Moves on the spine and the ends of sequences, for every slice that has cause for one: the inbox, deliveries, deals, workflows
// and people's own hands. Locks are taken in the order of the app: prospects (by id), then letters, then suppressions.
import type { Principal } from '../../../../kernel/caller.ts';
import type { Transaction } from '../../../../kernel/database.ts';
import { cancelLetters } from '../../sends/letter/flow.store.ts';
import { suppressAll } from '../../../crm/suppressions/store.ts';
import type { EndReason } from '../contract.ts';
import { addFacts, countStages, type NewFact } from '../history.store.ts';
import { ended as saveEnded, stageReached } from './prospect-states.store.ts';
import { type Cause, endsSequence, ruleSpine, type SpineMove, type Stage } from './spine.rules.ts';

export type WishedMove = {
  prospect_id: string;
  stage: Stage;
  cause: Cause;
  /** A person's words, or what moved it: kept with the fact. */
  reason?: string | undefined;
  /** The touch, delivery or deal that asks for it. */
  ref?: string | undefined;
};

/** What a move did, and where: for `context.tell('prospects', …)` and whatever hangs on it. */
export type MovedSpine = SpineMove & { prospect_id: string; campaign_id: string; person_id: string };

type Standing = {
  id: string;
  campaign_id: string;
  person_id: string;
  stage: Stage;
  stage_at: Date;
  ended: EndReason | null;
  stop_on_reply: boolean;
};

/** Those of these ids that are there, locked. */
async function lockStanding(tx: Transaction, ids: readonly string[]): Promise<Standing[]> {
  await tx`select from prospects where id = any(${[...ids]}::uuid[]) order by id for no key update`;
  return await tx<Standing[]>`
    select p.id, p.campaign_id, p.person_id, p.stage, p.stage_at, p.ended, c.stop_on_reply
    from prospects p join campaigns c on c.id = p.campaign_id where p.id = any(${[...ids]}::uuid[]) order by p.id`;
}

/** Every campaign that a person is or was in. */
async function lockStandingOf(tx: Transaction, person_id: string): Promise<Standing[]> {
  const rows = await tx<{ id: string }[]>`
    select id from prospects where person_id = ${person_id} order by id for no key update`;
  return await lockStanding(
    tx,
    rows.map(({ id }) => id),
  );
}

/**
 * Moves one person forward on the spine, or says why they stay. A move past `replied` ends the sequence, one to `replied`
 * where the campaign stops on replies; one to `unsubscribed` also suppresses every address of the person and ends all their
 * campaigns. Null where there is no such prospect.
 */
export async function moveSpine(
  tx: Transaction,
  wish: WishedMove,
  by: Principal,
  now: Date,
): Promise<MovedSpine | null> {
  const [before] = await tx<{ person_id: string }[]>`
    select person_id from prospects where id = ${wish.prospect_id}`;
  if (!before) return null;
  // All of the person's at once, or two opt-outs of one person would wait for each other.
  const all =
    wish.stage === 'unsubscribed'
      ? await lockStandingOf(tx, before.person_id)
      : await lockStanding(tx, [wish.prospect_id]);
  const one = all.find(({ id }) => id === wish.prospect_id);
  if (!one) return null;
  const [person] = await tx<{ name: string }[]>`select name from people where id = ${one.person_id}`;
  const ruling = ruleSpine({
    name: person?.name ?? '',
    present: one.stage,
    present_at: one.stage_at,
    asked: wish.stage,
    cause: wish.cause,
  });
  const answer = { ...ruling, prospect_id: one.id, campaign_id: one.campaign_id, person_id: one.person_id };
  // Also where they are there already: someone may have lifted the suppression since, and was told to stop once more.
  if (wish.stage === 'unsubscribed') {
    await endAs(tx, all, 'unsubscribed', 'unsubscribed', wish, by, now);
    const { reason, ref } = wish;
    const source = wish.cause === 'reply' ? 'touch' : 'person';
    await suppressPerson(tx, one, { reason: 'unsubscribe', note: reason, ref, source }, by, now);
    return answer;
  }
  if (!ruling.moved) return answer;
  const ends = endsSequence(wish.stage, one.stop_on_reply) ? (wish.stage as EndReason) : null;
  await endAs(tx, [one], wish.stage, ends, wish, by, now);
  return answer;
}

/** Every address of theirs: whoever opts out does not mean one of their mailboxes. */
export async function suppressPerson(
  tx: Transaction,
  { person_id, campaign_id }: { person_id: string; campaign_id?: string | undefined },
  {
    reason,
    note,
    ref,
    source,
  }: {
    reason: 'unsubscribe';
    note: WishedMove['reason'];
    ref: WishedMove['ref'];
    source: 'person' | 'send' | 'touch';
  },
  by: Principal,
  now: Date,
): Promise<void> {
  const addresses = await tx<{ normalised: string }[]>`
    select normalised from person_addresses where person_id = ${person_id} order by normalised`;
  const wishes = addresses.map(({ normalised }) => ({
    kind: 'address' as const,
    value: normalised,
    reason,
    source,
    source_ref: ref,
    campaign_id,
    note,
  }));
  await suppressAll(tx, wishes, by, now);
}

/**
 * No letter of these sequences goes to these people any more: what has not started is cancelled with `reason`. Whoever was
 * ended already stays ended as they were. Gives those that it ended.
 */
export async function endProspects(
  tx: Transaction,
  prospect_ids: readonly string[],
  reason: EndReason,
  by: Principal,
  now: Date,
): Promise<string[]> {
  const all = await lockStanding(tx, prospect_ids);
  await endAs(tx, all, null, reason, {}, by, now);
  return all.filter(({ ended }) => ended === null).map(({ id }) => id);
}

export const endProspect = async (
  tx: Transaction,
  prospect_id: string,
  reason: EndReason,
  by: Principal,
  now: Date,
): Promise<boolean> => (await endProspects(tx, [prospect_id], reason, by, now)).length > 0;

/**
 * The same in every campaign of a person. Whoever unsubscribed or complained is at `unsubscribed` everywhere from then
 * on; suppressing is the caller's, who knows the address. Gives the person's prospects.
 */
export async function endProspectsOf(
  tx: Transaction,
  person_id: string,
  reason: EndReason,
  by: Principal,
  now: Date,
): Promise<string[]> {
  const all = await lockStandingOf(tx, person_id);
  const stage = reason === 'unsubscribed' || reason === 'complaint' ? 'unsubscribed' : null;
  await endAs(tx, all, stage, reason, {}, by, now);
  return all.map(({ id }) => id);
}

/** Stage and end of rows that are locked, the letters that are over by it, and what is kept of either. */
async function endAs(
  tx: Transaction,
  all: readonly Standing[],
  stage: Stage | null,
  ended: EndReason | null,
  { cause, reason, ref }: Partial<WishedMove>,
  by: Principal,
  now: Date,
): Promise<void> {
  const moving = stage === null ? [] : all.filter((each) => each.stage !== stage);
  const ending = ended === null ? [] : all.filter((each) => each.ended === null);
  const ids = (rows: readonly Standing[]): string[] => rows.map(({ id }) => id);
  if (stage !== null && stage !== 'enrolled') await stageReached(tx, ids(moving), stage, now, now);
  if (ended !== null && ending.length > 0) {
    await saveEnded(tx, ids(ending), ended, now);
    await cancelLetters(tx, { prospect_ids: ids(ending) }, ended, by, now);
  }
  const facts: NewFact[] = [
    ...moving.map((each) => ({
      prospect_id: each.id,
      kind: 'stage',
      details: { from: each.stage, to: stage, cause, reason, ref },
    })),
    ...ending.map((each) => ({ prospect_id: each.id, kind: 'ended', details: { reason: ended } })),
  ];
  await addFacts(tx, facts, by, now);
  if (stage !== null)
    await countStages(
      tx,
      moving.map(({ campaign_id, stage: from }) => ({ campaign_id, from, to: stage })),
      now,
    );
}
