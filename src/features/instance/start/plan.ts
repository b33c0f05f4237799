// A made-up desk as rows, before any of it is written: who is in it follows from a seed and a moment alone, so that the same seed
// makes the same desk. Rows of one table all have the same columns; JSON says that it is JSON.
import type { Principal } from '../../../kernel/caller.ts';

/** A value of a jsonb column. */
export class Json {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
}

export type Cell = string | number | boolean | Date | null | readonly string[] | Json;
export type Row = { readonly [column: string]: Cell };

/** Tables in the order in which they can be written. */
export const TABLES = [
  'postal_addresses',
  'domains',
  'identities',
  'companies',
  'people',
  'person_addresses',
  'campaigns',
  'campaign_facts',
  'campaign_identities',
  'sequence_steps',
  'prospects',
  'stages_reached',
  'letters_started',
  'threads',
  'sends',
  'send_outcomes',
  'touches',
  'suppressions',
  'deals',
  'work_projects',
  'approvals',
  'work_items',
  'work_comments',
  'event_deliveries',
] as const;
export type Table = (typeof TABLES)[number];

export type CampaignSize = {
  name: string;
  goal: string;
  state: 'active' | 'paused' | 'finished';
  people: number;
  /** How long ago it began, and over how many days its people begin. */
  began_days: number;
  over_days: number;
};

export type Size = {
  people: number;
  campaigns: CampaignSize[];
  /** Letters drafted as the product drafts them, for a person to read. */
  in_review: number;
  deals: number;
  cards: number;
  /** Cards that an agent says are done, and that wait for a person. */
  parked: number;
  /** Deliveries of events that are over; where there are some, nothing of them is sent. */
  events: number;
};

/** The made-up domain of its sender; no one can have it (RFC 2606). */
export const SAMPLE_DOMAIN = 'halyard-sample.example';

export type Wishes = {
  seed: number;
  now: Date;
  by: Principal;
  user_id: string;
  /** Keys of the pipeline's stages, in order. */
  stages: readonly string[];
  project: { key: string; name: string };
  instance: string;
};

export type Plan = {
  wishes: Wishes;
  chance: Chance;
  rows: Map<Table, Row[]>;
  add(table: Table, row: Row): void;
  /** Whoever takes the letters that are to be read, soonest first. */
  awaiting: { prospect_id: string; step_id: string; scheduled_for: Date }[];
};

export type Chance = {
  /** From 0 up to, and without, 1. */
  next(): number;
  below(count: number): number;
  pick<T>(of: readonly T[]): T;
  /** By weights that need not come to 1. */
  weighted<T extends string>(weights: Readonly<Record<T, number>>): T;
  /** A UUIDv7 of that moment, so that ids sort as the product's own do. */
  id(at: Date): string;
};

/** Mulberry32: small, and the same on every machine. */
export function chance(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const hex = (digits: number): string =>
    Array.from({ length: digits }, () => Math.floor(next() * 16).toString(16)).join('');
  const below = (count: number): number => Math.floor(next() * count);
  return {
    next,
    below,
    pick<T>(of: readonly T[]): T {
      return of[below(of.length)] as T;
    },
    weighted<T extends string>(weights: Readonly<Record<T, number>>): T {
      const entries = Object.entries<number>(weights) as [T, number][];
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
      for (const [name, weight] of entries) if ((left -= weight) < 0) return name;
      return entries.at(-1)?.[0] as T;
    },
    id(at) {
      const ms = at.getTime().toString(16).padStart(12, '0');
      return `${ms.slice(0, 8)}-${ms.slice(8)}-7${hex(3)}-${'89ab'[below(4)]}${hex(3)}-${hex(12)}`;
    },
  };
}

export function emptyPlan(wishes: Wishes): Plan {
  const rows = new Map<Table, Row[]>(TABLES.map((table) => [table, []]));
  return {
    wishes,
    chance: chance(wishes.seed),
    rows,
    awaiting: [],
    add: (table, row) => void rows.get(table)?.push(row),
  };
}

/** A column of text, of every row of a table. */
export const texts = (rows: ReadonlyMap<Table, readonly Row[]>, table: Table, column: string): string[] =>
  (rows.get(table) ?? []).flatMap(({ [column]: cell }) => (typeof cell === 'string' ? [cell] : []));

/** Who did a thing, as columns. */
export const by = (name: string, who: Principal | null): Row => ({
  [`${name}_kind`]: who?.kind ?? null,
  [`${name}_id`]: who?.id ?? null,
  [`${name}_name`]: who?.name ?? null,
});
