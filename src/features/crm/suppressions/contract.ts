// Suppressions: addresses and domains that must not be written to (domain.md §1.7). Adding is free; lifting is wire act 3.
import { z } from 'zod';
import { csvOf } from '../../../kernel/csv.ts';
import { named } from '../../../kernel/names.ts';
import { CREATED, OK, operation } from '../../../kernel/operation.ts';
import { id, listOf, page, principal, text, time } from '../../../kernel/shapes.ts';

export const KINDS = ['address', 'domain'] as const;

/** The strongest first: of several that are on one value it is what is shown. */
export const REASONS = ['complaint', 'legal', 'unsubscribe', 'hard_bounce', 'manual', 'import'] as const;
export type Reason = (typeof REASONS)[number];

export const SOURCES = ['touch', 'send', 'person', 'import', 'vendor'] as const;

/** `ended`: it was set by hand with an end, and that has passed. */
export const STATES = ['standing', 'lifted', 'ended'] as const;

export const suppression = z.object({
  id,
  kind: z.enum(KINDS),
  /** Null once the person was erased: the hash goes on matching. */
  value: z.string().nullable(),
  value_hash: z.string(),
  reason: z.enum(REASONS),
  source: z.enum(SOURCES),
  /** The touch, the send or the import batch that it came from. */
  source_ref: z.string().nullable(),
  campaign_id: id.nullable(),
  note: z.string().nullable(),
  state: z.enum(STATES),
  created_by: principal,
  created_at: time,
  expires_at: time.nullable(),
  lifted_by: principal.nullable(),
  lifted_at: time.nullable(),
});
export type Suppression = z.infer<typeof suppression>;
named('Suppression', suppression);

/** What a suppression shows beside an address or a person: the strongest that exists. */
export const standingMark = z.object({
  id,
  reason: z.enum(REASONS),
  since: time,
  /** `domain`: the whole domain is suppressed, not this address alone. */
  via: z.enum(KINDS),
});
export type StandingMark = z.infer<typeof standingMark>;
named('SuppressionMark', standingMark);

export const ADDED_AT_ONCE_MAX = 500;

const wish = {
  address: z.string().max(2_000).optional(),
  domain: z.string().max(2_000).optional(),
  reason: z.enum(REASONS).optional(),
  note: text(500).optional(),
  expires_at: time.optional(),
  campaign_id: id.optional(),
};
const oneOfMany = z.strictObject(wish);
export type Wish = z.infer<typeof oneOfMany>;

/** Of what the caller may read; null where they may read none of it. */
export const reach = z.object({
  /** Who have such an address. */
  people: z.int().nullable(),
  /** Of them, those who are in a campaign now. */
  in_campaigns: z.int().nullable(),
  /** Letters to such an address that have not started: none of them goes. */
  letters_withdrawn: z.int().nullable(),
});
export type Reach = z.infer<typeof reach>;
named('SuppressionReach', reach);

export const suppressionList = operation({
  name: 'suppression_list',
  says: 'Lists addresses and domains that must not be written to, newest first; query finds by how a value begins, or a whole address.',
  method: 'GET',
  path: '/api/admin/outreach/suppressions',
  takes: z.strictObject({
    state: z.enum(STATES).optional(),
    reason: z.enum(REASONS).optional(),
    kind: z.enum(KINDS).optional(),
    query: text(254).optional(),
    ...page,
  }),
  gives: listOf(suppression),
  example: {},
  effect: 'read',
  needs: { action: 'outreach.suppression.read', on: () => ['outreach:suppression'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: OK,
  cost: ({ query }) => query !== undefined,
});

export const suppressionExport = csvOf(suppressionList, 'suppression_export', 'suppressions');

export const suppressionAdd = operation({
  name: 'suppression_add',
  says: 'Suppresses one address or domain, or up to 500 at once: nothing is written to it from then on. It returns whom that reaches; dry_run returns only that. The domain of a public mail provider needs confirm true.',
  method: 'POST',
  path: '/api/admin/outreach/suppressions',
  takes: z.strictObject({
    ...wish,
    suppressions: z.array(oneOfMany).min(1).max(ADDED_AT_ONCE_MAX).optional(),
    /** Suppresses nothing, and answers its reach. */
    dry_run: z.boolean().optional(),
    /** True is asked for where a domain is a public mail provider's; false is the same as leaving it out. */
    confirm: z.boolean().optional(),
  }),
  gives: z.object({
    /** Where one was given. */
    suppression: suppression.exactOptional(),
    /** Where many were given: one for each, in their order. */
    suppressions: z.array(suppression).exactOptional(),
    /** How many did not be before; of a dry run none. */
    added: z.int(),
    reach,
    dry_run: z.boolean(),
  }),
  example: { address: 'ann@example.com', reason: 'manual' },
  effect: 'write',
  needs: { action: 'outreach.suppression.create', on: () => ['outreach:suppression'] },
  who: 'anyone',
  step_up: 'no',
  wire: 'never',
  answers: CREATED,
});

export const suppressionLift = operation({
  name: 'suppression_lift',
  says: 'Lifts one suppression; its row stays, with who and when. A complaint or a legal demand can be lifted only by a person on screen.',
  method: 'DELETE',
  path: '/api/admin/outreach/suppressions/:suppression',
  takes: z.strictObject({ suppression: id }),
  gives: z.object({
    suppression,
    /** What still is on the same value: it is written to again only when nothing does. */
    still: z.array(standingMark),
  }),
  example: { suppression: '0198c0de-0000-7000-8000-000000000031' },
  effect: 'write',
  needs: {
    action: 'outreach.suppression.lift',
    on: ({ suppression: lifted }) => [`outreach:suppression/${lifted}`],
  },
  who: 'anyone',
  step_up: 'no',
  wire: { act: 'suppression.lift' },
  answers: OK,
});
