// What follows from an answer, in the transaction in which it is written down: the spine, the end of a sequence, a suppression,
// a hold, a deal. Landing, a correction and a late reading of a model all end here, so none of them can do more than the others.
// Locks: the thread is held by whoever calls; then prospects, letters, suppressions, and the person of a deal last.
import type { Principal } from '../../../../kernel/caller.ts';
import type { EventData, EventName, Reading } from '../../../../kernel/events.rules.ts';
import type { ChangeNotification, Transaction } from '../../../../kernel/database.ts';
import { recipientZone } from '../../../../mail/timing/zones.rules.ts';
import { notePositive } from '../../../crm/deals/opened.store.ts';
import { holdAway } from '../../../outreach/prospects/stepping/hold.store.ts';
import {
  endProspect,
  endProspectsOf,
  moveSpine,
  suppressPerson,
} from '../../../outreach/prospects/spine/move.store.ts';
import type { SpineMove } from '../../../outreach/prospects/spine/spine.rules.ts';
import { cancelLetters } from '../../../outreach/sends/letter/flow.store.ts';
import { suppress } from '../../../crm/suppressions/store.ts';
import { awayUntil } from './away.rules.ts';
import { openDealOf, type DealPlace, type ProspectFacts, prospectsMeant } from './deal.store.ts';
import { type Certainty, type Circumstance, effectsOf } from './effects.rules.ts';
import { lockProspectsOf } from './people.store.ts';

export type Emit = <E extends EventName>(event: E, data: EventData[E]) => Promise<unknown>;

/** `emit`: the database's or a context's, in this transaction. `by`: who says what an answer means. */
export type Recording = { emit: Emit; by: Principal; now: Date };

/** Who wrote, by the address alone: no one's word is taken for it, and an opt-out is theirs. */
export type Writer = { normalised: string; person_id: string | null };

export type Answer = {
  place: DealPlace;
  touch_id: string;
  reading: Reading;
  certainty: Certainty;
  circumstance: Circumstance | null;
  /** A machine wrote it. */
  automatic: boolean;
  /** The day when they are back, of an away message. */
  returns_on: string | null;
  /** Null: the person of the conversation, or no one that has an address. */
  writer: Writer | null;
};

export type Followed = {
  /** Of the prospect that the answer is about; null where it asks for no stage, or is about none. */
  move: SpineMove | null;
  deal_id: string | null;
  held_until: Date | null;
  /** For `tell`, after the commit. */
  changes: ChangeNotification[];
};

export async function follow(tx: Transaction, answer: Answer, recording: Recording): Promise<Followed> {
  const { place, reading, certainty, circumstance, automatic } = answer;
  const effects = effectsOf(reading, certainty, circumstance, automatic);
  const done: Followed = { move: null, deal_id: null, held_until: null, changes: [] };
  if (effects.stage === 'unsubscribed') return { ...done, ...(await optOut(tx, answer, recording)) };
  const meant = await prospectsMeant(tx, place);
  // Before any stage moves: that would end it for another reason.
  if (effects.ends !== undefined) {
    const ended = await endProspectsOf(tx, place.person_id, effects.ends, recording.by, recording.now);
    done.changes.push(...ended.map((id) => ({ topic: 'prospects', id })), { topic: 'sends', id: '' });
  }
  if (effects.holds) return { ...done, ...(await hold(tx, meant, answer, recording)) };
  const { stage } = effects;
  // Whoever writes outside any campaign has written: no sequence goes on as if they had not, and none takes it for its own.
  if (stage !== null)
    for (const each of meant) {
      const asked = place.prospect_id === null ? 'replied' : stage;
      if (place.prospect_id === null && !each.stop_on_reply) continue;
      const move = await reach(tx, each, asked, answer, recording);
      if (each.id === place.prospect_id) done.move = move;
    }
  done.changes.push(...changesOf(meant));
  if (effects.opens_deal) done.deal_id = await deal(tx, meant, answer, recording);
  if (done.deal_id !== null) done.changes.push({ topic: 'deals', id: done.deal_id });
  if (effects.suppresses) {
    await suppressWriter(tx, answer, recording);
    done.changes.push({ topic: 'suppressions', id: '' });
  }
  return done;
}

async function reach(
  tx: Transaction,
  { id, ended, stop_on_reply }: ProspectFacts,
  stage: NonNullable<ReturnType<typeof effectsOf>['stage']>,
  { touch_id }: Answer,
  { by, now }: Recording,
): Promise<SpineMove | null> {
  const move = await moveSpine(tx, { prospect_id: id, stage, cause: 'reply', ref: touch_id }, by, now);
  // They came this far before, and letters went on: the campaign stops on replies now.
  if (move && !move.moved && ended === null && stop_on_reply) await endProspect(tx, id, 'replied', by, now);
  return move;
}

async function hold(
  tx: Transaction,
  meant: readonly ProspectFacts[],
  { returns_on }: Answer,
  { by, now }: Recording,
): Promise<Partial<Followed>> {
  let held_until: Date | null = null;
  for (const each of meant) {
    const { timezone } = recipientZone({
      person: each.person_timezone,
      company: each.company_timezone,
      domain: each.to_domain,
      campaign: each.campaign_timezone,
    });
    const until = awayUntil({ returns_on, timezone }, now);
    const wish = { prospect_id: each.id, until, reason: 'away' };
    if (await holdAway(tx, wish, by, now)) held_until = until;
  }
  return { held_until, changes: changesOf(meant) };
}

/** Every campaign, every address of theirs, and every letter that has not started. */
async function optOut(tx: Transaction, answer: Answer, recording: Recording): Promise<Partial<Followed>> {
  const { place, touch_id, writer } = answer;
  const { by, now } = recording;
  const { person_id, prospect_id, campaign_id } = place;
  const other = writer?.person_id && writer.person_id !== person_id ? writer.person_id : null;
  const people = other === null ? [person_id] : [person_id, other];
  const prospects = await lockProspectsOf(tx, people);
  for (const each of people) await cancelLetters(tx, { person_id: each }, 'unsubscribed', by, now);
  if (other !== null) await endProspectsOf(tx, other, 'unsubscribed', by, now);
  if (prospect_id === null) await endProspectsOf(tx, person_id, 'unsubscribed', by, now);
  const wish = { stage: 'unsubscribed', cause: 'reply', ref: touch_id } as const;
  const move = prospect_id === null ? null : await moveSpine(tx, { prospect_id, ...wish }, by, now);
  const of = { reason: 'unsubscribe', note: undefined, ref: touch_id, source: 'touch' } as const;
  const campaign = campaign_id ?? undefined;
  for (const each of people)
    await suppressPerson(tx, { person_id: each, campaign_id: campaign }, of, by, now);
  await suppressWriter(tx, answer, recording);
  return {
    move,
    changes: [
      ...prospects.map((id) => ({ topic: 'prospects', id })),
      ...people.map((id) => ({ topic: 'people', id })),
      { topic: 'suppressions', id: '' },
      { topic: 'sends', id: '' },
    ],
  };
}

/** The address alone that it was written from, or that was typed. */
async function suppressWriter(
  tx: Transaction,
  { place, touch_id, writer }: Answer,
  { by, now }: Recording,
): Promise<void> {
  if (!writer) return;
  await suppress(
    tx,
    {
      kind: 'address',
      value: writer.normalised,
      reason: 'unsubscribe',
      source: 'touch',
      source_ref: touch_id,
      campaign_id: place.campaign_id ?? undefined,
    },
    by,
    now,
  );
}

/** No one who opted out is sold to because of a word that a program found in their letter. */
async function deal(
  tx: Transaction,
  meant: readonly ProspectFacts[],
  { place }: Answer,
  { emit, by, now }: Recording,
): Promise<string | null> {
  const own = meant.find(({ id }) => id === place.prospect_id);
  const may = own !== undefined && own.open_deal_on_positive && own.stage !== 'unsubscribed';
  const opened = may ? await openDealOf(tx, place, by, now) : null;
  const { person_id, prospect_id, campaign_id } = place;
  await notePositive(tx, emit, { person_id, prospect_id, campaign_id, at: now });
  return opened;
}

const changesOf = (meant: readonly ProspectFacts[]): ChangeNotification[] =>
  meant.flatMap(({ id, campaign_id }) => [
    { topic: 'prospects', id },
    { topic: 'campaigns', id: campaign_id },
  ]);
