// Readings that are set after landing, pure: how sure one may be of what an answer belongs to, what is said of a correction, and
// what of a model's words is kept.
import { READINGS, type Reading } from '../../../kernel/events.rules.ts';
import { conflict, type Refusal } from '../../../kernel/refusal.ts';
import type { Certainty } from '../inbound/effects/effects.rules.ts';
import type { SpineMove } from '../../outreach/prospects/spine/spine.rules.ts';
import { readingDetails, type ReadBy, type ReadingDetails } from './contract.ts';

/** Whoever looks at it knows whose it is; a program knows no more than landing did. */
export function certaintyFor(
  by: ReadBy,
  { channel, attributed_by, doubtful }: { channel: string; attributed_by: string | null; doubtful: boolean },
): Certainty {
  if (by === 'person') return 'known';
  if (attributed_by === 'form') return 'typed';
  const guessed = doubtful || attributed_by === 'guessed' || (channel === 'email' && attributed_by === null);
  return guessed ? 'guessed' : 'known';
}

/** Someone who wants to be erased waits for a person, who alone says that it is dealt with, or that it was no such wish. */
export function refusedAsWish(
  before: { details: Record<string, unknown> },
  by: ReadBy,
  said: { reading: Reading; details: ReadingDetails },
): Refusal | null {
  const stays = said.reading === 'unsubscribe' && said.details.erasure !== false;
  if (by === 'person' || before.details['erasure'] !== true || stays) return null;
  return conflict(
    'this contact asked to have their data erased: only a person can erase it or correct this reading, on screen or with a token of their own',
  );
}

export type Corrected = {
  reading: Reading;
  was: Reading | null;
  move: SpineMove | null;
  inCampaign: boolean;
  hasPerson: boolean;
  held_until: Date | null;
};

/** One sentence, under 300 characters, of what actually happened. */
export function sentenceOf({ reading, was, move, inCampaign, hasPerson, held_until }: Corrected): string {
  const kept =
    was === 'unsubscribe' && reading !== 'unsubscribe'
      ? ' The suppression stays: a reading lifts none, DELETE /api/admin/outreach/suppressions/:id does.'
      : '';
  return `${whatHappened()}${kept}`;

  function whatHappened(): string {
    if (!hasPerson)
      return `It reads as ${reading} now. It isn’t linked to a person here, so nothing else changes.`;
    if (reading === 'out_of_office')
      return held_until === null
        ? 'It reads as out_of_office now, and holds nothing that was not over or held already.'
        : `It reads as out_of_office now: nothing goes to them before ${held_until.toISOString().slice(0, 10)}.`;
    if (move) return move.sentence;
    if (reading === 'unsubscribe')
      return 'It reads as unsubscribe now: they are suppressed and get no further letter.';
    return inCampaign
      ? `It reads as ${reading} now, which moves no stage.`
      : `It reads as ${reading} now; the conversation belongs to no campaign, so no stage moves in one.`;
  }
}

/** Past this a model is no surer. */
const MOST_DETAIL_CHARS = 300;

/** What a model said is a stranger's text as much as what it read: one of the seven words, or nothing is known. */
export function readingSaid(said: unknown, details: ReadingDetails): Reading {
  // Whoever wants to be erased wants no letters either, whatever else the letter is.
  if (details.erasure === true) return 'unsubscribe';
  return READINGS.find((each) => each === said) ?? 'unread';
}

export function detailsSaid(said: unknown): ReadingDetails {
  if (typeof said !== 'object' || said === null) return {};
  const given = said as Record<string, unknown>;
  const kept = Object.entries(readingDetails.shape).flatMap(([name, shape]) => {
    const value = given[name];
    // Only what it found: that something is dealt with is a person's word.
    if (value === true && shape.safeParse(true).success) return [[name, true]];
    if (typeof value !== 'string') return [];
    const short = value
      .toWellFormed()
      .replaceAll(/\p{Cc}+/gu, ' ')
      .slice(0, MOST_DETAIL_CHARS)
      .toWellFormed();
    const parsed = shape.safeParse(short);
    return parsed.success ? [[name, parsed.data]] : [];
  });
  return Object.fromEntries(kept) as ReadingDetails;
}

export const confidenceSaid = (said: unknown): number | null =>
  typeof said === 'number' && said >= 0 && said <= 1 ? said : null;
