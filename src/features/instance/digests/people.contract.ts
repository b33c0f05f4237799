// Digests of conversations, people and deals (domain.md §3.3): who said what kind of thing when, and what waits; never a body.
import { z } from 'zod';
import { READINGS } from '../../../kernel/events.rules.ts';
import { date, id, time } from '../../../kernel/shapes.ts';
import { examplePerson } from '../../crm/people/contract.ts';
import { exampleThread } from '../../inbox/threads/contract.ts';
import { digest, digestOf, few, money, section, span, spanned } from './frame.contract.ts';
import { notTaken } from './outreach.contract.ts';

const count = z.int();
const name = z.string().nullable();

const line = z.object({
  thread_id: id,
  person: name,
  campaign_id: id.nullable(),
  /** At most 80 characters. */
  subject: z.string(),
  reading: z.string().nullable(),
  waiting_since: time.nullable(),
  last_at: time,
  assignee: name,
});

const waitingLine = line.extend({
  /** A drafted answer is waiting to be sent. */
  drafted: z.boolean(),
  open_at: z.url(),
});

/** What each counts: src/kernel/metrics.rules.ts. */
const cameIn = { replies: count, automatic: count, by_reading: z.record(z.string(), count) };

export const repliesDigest = digestOf({
  name: 'replies_digest',
  says: 'Sums up what came in from since (a week ago) to until (now): replies by reading, and conversations waiting for an answer now, those no one could read first, then by longest wait. reading shows only that one. Subjects only; thread_get has the texts.',
  takes: z.strictObject({
    ...spanned,
    campaign: id.optional(),
    reading: z.enum(READINGS).optional(),
  }),
  gives: digest({
    ...span,
    replies: section(z.object({ ...cameIn, previous: z.object({ ...span, ...cameIn }).exactOptional() })),
    unread: section(few(waitingLine)),
    unanswered: section(few(waitingLine)),
  }),
  example: {},
});

const touchLine = z.object({
  touch_id: id,
  at: time,
  direction: z.enum(['in', 'out']),
  channel: z.string(),
  note: z.boolean(),
  from: name,
  subject: z.string(),
  reading: z.string().nullable(),
  automatic: z.boolean(),
  attachments: count,
});

export const threadDigest = digestOf({
  name: 'thread_digest',
  says: 'Sums up one conversation: with whom, their stage, what they asked last, what was promised for when, one line per touch, and the draft. thread_get has the texts.',
  takes: z.strictObject({ thread_id: id }),
  gives: digest({
    thread: section(
      z.object({
        thread_id: id,
        channel: z.string(),
        subject: z.string(),
        state: z.string(),
        waiting: z.string(),
        waiting_since: time.nullable(),
        reading: z.string().nullable(),
        assignee: name,
        person: z.object({ id, name: z.string(), company: name, suppressed: z.boolean() }).nullable(),
        campaign: z.object({ id, name: z.string(), state: z.string() }).nullable(),
        stage: z.string().nullable(),
        ended: z.string().nullable(),
        on_hold: z.boolean(),
      }),
    ),
    /** What they said since our last word, without what they said: how it reads, and how many questions it holds. */
    asks: section(
      few(z.object({ touch_id: id, at: time, reading: z.string().nullable(), questions: count })),
    ),
    commitments: section(
      few(z.object({ kind: z.enum(['follow_up', 'returns', 'snoozed', 'deal']), on: z.string(), ref: id })),
    ),
    touches: section(few(touchLine)),
    draft: section(
      z
        .object({
          answer_id: id,
          by: z.string(),
          state: z.string(),
          why_not: z.string().nullable(),
          newer_message: z.boolean(),
          updated_at: time,
        })
        .nullable(),
    ),
  }),
  example: { thread_id: exampleThread },
});

export const personDigest = digestOf({
  name: 'person_digest',
  says: 'Sums up one person, by id or address: who they are, on what basis they may be written to, suppression and verification, campaigns with the stage in each, letters, those that were not taken and why, conversations with the latest messages, notes, open work items and deals.',
  takes: z.strictObject({ person_id: id.optional(), address: z.string().max(2_000).optional() }),
  gives: digest({
    person: section(
      z.object({
        person_id: id,
        name: z.string(),
        title: name,
        company: name,
        basis: z.string(),
        source: name,
        country: name,
        timezone: name,
        tags: z.array(z.string()),
        suppressed: z.object({ reason: z.string(), since: time, via: z.string() }).nullable(),
        addresses: z.array(
          z.object({
            address: z.string(),
            primary: z.boolean(),
            verdict: name,
            reason: name,
            checked_at: time.nullable(),
          }),
        ),
      }),
    ),
    campaigns: section(
      few(
        z.object({
          prospect_id: id,
          campaign_id: id,
          campaign: z.string(),
          stage: z.string(),
          stage_at: time,
          ended: name,
          hold: name,
          next_at: time.nullable(),
        }),
      ),
    ),
    letters: section(z.record(z.string(), count)),
    not_taken: section(notTaken),
    threads: section(few(line.extend({ touches: count, waiting: z.string() }))),
    /** Newest first, in and out; thread_get has the texts. */
    messages: section(
      few(
        z.object({
          touch_id: id,
          thread_id: id,
          at: time,
          direction: z.enum(['in', 'out']),
          channel: z.string(),
          subject: z.string(),
          reading: name,
        }),
      ),
    ),
    /** Newest first, each cut at 200 characters. */
    notes: section(few(z.object({ note: z.string(), by: z.string(), at: time }))),
    /** Open work items that are linked to them. */
    cards: section(
      few(z.object({ item_id: id, key: z.string(), title: z.string(), status: z.string(), due_on: name })),
    ),
    deals: section(
      few(
        z.object({
          deal_id: id,
          name: z.string(),
          state: z.string(),
          stage: z.string(),
          /** Null where the deal has no amount. */
          value: z.object(money).nullable(),
        }),
      ),
    ),
    open_at: z.url().nullable(),
  }),
  example: { person_id: examplePerson },
});

const sums = z.array(z.object(money));
const closed = {
  won: z.object({ count, sums }),
  lost: z.object({ count, sums }),
};

export const dealsDigest = digestOf({
  name: 'deals_digest',
  says: 'Sums up deals: open ones by stage with sums, those no one touched for stale_days (14), and what was won and lost from since (30 days ago) to until (now). Amounts are given with their currency, and as amount_minor in minor units.',
  takes: z.strictObject({
    ...spanned,
    campaign: id.optional(),
    stale_days: z.int().min(1).max(3650).default(14),
  }),
  gives: digest({
    stages: section(
      z.array(
        z.object({
          stage: z.string(),
          title: z.string(),
          count,
          /** `weighted`: each amount times its probability. */
          sums: z.array(z.object({ ...money, weighted: z.string(), weighted_minor: z.number() })),
        }),
      ),
    ),
    stale: section(
      few(
        z.object({
          deal_id: id,
          name: z.string(),
          person: name,
          stage: z.string(),
          owner: name,
          expected_on: date.nullable(),
          untouched_since: time,
          open_at: z.url(),
        }),
      ),
    ),
    closed: section(
      z.object({ ...span, ...closed, previous: z.object({ ...span, ...closed }).exactOptional() }),
    ),
  }),
  example: {},
});
