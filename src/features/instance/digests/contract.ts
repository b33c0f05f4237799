// Digests of the instance, the board and what agents did (domain.md §3.3): what changed, what waits for a person, what is
// broken; never a body.
import { z } from 'zod';
import { date, id, principal, time } from '../../../kernel/shapes.ts';
import { figure } from '../../outreach/campaigns/metrics.contract.ts';
import { projectRef } from '../../work/work/contract.ts';
import { digest, digestOf, few, section, span, spanned } from './frame.contract.ts';

const count = z.int();

const link = z.url();

/** Letters of one campaign (null: of none) that wait for someone. */
const waitingLetters = z.object({
  campaign_id: id.nullable(),
  review: count,
  held: count,
  uncertain: count,
  oldest: time,
});

/** Numbers of a span; what each counts: src/kernel/metrics.rules.ts. */
const changes = {
  /** People and letters of campaigns, by whole days in UTC: those that the span touches. */
  figures: section(figure.extend({ from: date, to: date })),
  replies: section(z.record(z.string(), count)),
  deals: section(z.object({ opened: count, won: count, lost: count })),
  work: section(z.object({ created: count, completed: count })),
};

export const instanceDigest = digestOf({
  name: 'instance_digest',
  says: 'Begin every session here: what changed from since (a day ago) to until (now), what waits for a person, and what is broken, each with the tool or route that acts on it. compare: previous adds the span before.',
  takes: z.strictObject(spanned),
  gives: digest({
    ...span,
    /** What came of the caller’s own proposals in this span. */
    decided: few(
      z.object({
        proposal_id: id,
        act: z.string(),
        state: z.string(),
        note: z.string().nullable(),
        at: time.nullable(),
      }),
    ),
    waiting: z.object({
      approvals: section(
        few(
          z.object({
            approval_id: id,
            kind: z.string(),
            key: z.string(),
            title: z.string(),
            author: z.string(),
            since: time,
            sign_at: link,
          }),
        ),
      ),
      letters: section(
        z.object({
          review: count,
          held: count,
          uncertain: count,
          by_campaign: few(waitingLetters),
          sign_at: link,
        }),
      ),
      /** Letters that a review sent back and no one has rewritten yet, and those that it rejected in this span. */
      returned: section(
        few(
          z.object({
            send_id: id,
            campaign_id: id.nullable(),
            person: z.string().nullable(),
            outcome: z.enum(['returned', 'rejected']),
            note: z.string().nullable(),
            at: time,
          }),
        ),
      ),
      unanswered: section(
        z.object({
          unanswered: count,
          mine: count,
          by_reading: z.record(z.string(), count),
          oldest: z.array(
            z.object({
              thread_id: id,
              person: z.string().nullable(),
              reading: z.string().nullable(),
              waiting_since: time.nullable(),
            }),
          ),
        }),
      ),
      /** Drafted answers that no one has sent. */
      drafts: section(
        few(
          z.object({
            answer_id: id,
            thread_id: id,
            person: z.string().nullable(),
            by: z.string(),
            updated_at: time,
          }),
        ),
      ),
      overdue: section(few(z.object({ item_id: id, key: z.string(), title: z.string(), due_on: date }))),
      stale_deals: section(
        few(
          z.object({
            deal_id: id,
            name: z.string(),
            stage: z.string(),
            untouched_since: time,
          }),
        ),
      ),
    }),
    broken: z.object({
      domains: section(
        few(
          z.object({
            domain_id: id,
            domain: z.string(),
            state: z.string(),
            paused_by: z.string().nullable(),
            reason: z.string().nullable(),
            failing: z.array(z.string()),
          }),
        ),
      ),
      identities: section(
        few(
          z.object({
            identity_id: id,
            address: z.string(),
            /** Why nothing leaves by it, in a sentence, with its kind. */
            trouble: z.string().nullable(),
            says: z.string().nullable(),
            mailbox: z.string().nullable(),
            since: time.nullable(),
            test: z.string().nullable(),
          }),
        ),
      ),
      /** Paused ones, whoever or whatever paused them. */
      campaigns: section(few(z.object({ campaign_id: id, name: z.string(), paused_reason: z.string() }))),
      events: section(
        few(
          z.object({
            delivery_id: id,
            event: z.string(),
            occurred_at: time,
            last_status: z.int().nullable(),
            last_error: z.string().nullable(),
          }),
        ),
      ),
      vendors: section(
        few(z.object({ provider: z.string(), used_by: count, key_set: z.boolean(), reports: z.boolean() })),
      ),
      quarantine: section(few(z.object({ mail_id: id, why: z.string().nullable(), received_at: time }))),
    }),
    changed: z.object({ ...changes, previous: z.object({ ...span, ...changes }).exactOptional() }),
  }),
  example: {},
});

const card = z.object({ item_id: id, key: z.string(), title: z.string() });

export const workDigest = digestOf({
  name: 'work_digest',
  says: 'Sums up one project of the board: columns, what is parked and since when, claims with their end, what is blocked or overdue, and how many more may be parked before claims are refused.',
  takes: z.strictObject({ project: projectRef }),
  gives: digest({
    project: section(z.object({ id, key: z.string(), name: z.string() })),
    columns: section(z.record(z.string(), count)),
    review: section(
      z.object({
        limit: count,
        parked: count,
        headroom: count,
        items: few(
          card.extend({
            approval_id: id.nullable(),
            author: z.string(),
            parked_at: time.nullable(),
            days: z.number().nullable(),
          }),
        ),
      }),
    ),
    claims: section(few(card.extend({ holder: principal, expires_at: time }))),
    blocked: section(few(card.extend({ open_blockers: count }))),
    overdue: section(few(card.extend({ due_on: z.string(), status: z.string() }))),
    /** The board; null to whoever may not read the project. */
    open_at: link.nullable(),
  }),
  example: { project: 'OUT' },
});

/** What each counts: src/kernel/metrics.rules.ts. */
const acted = {
  done: count,
  /** Dry runs: they changed nothing. */
  rehearsed: count,
  refused: count,
  faults: count,
  /** By agents; kept for 30 days. */
  reads: count,
};

export const activityDigest = digestOf({
  name: 'activity_digest',
  says: 'Sums up what tokens and agents did from since (a day ago) to until (now): acts that changed something by actor and name, dry runs apart, refusals grouped by their sentence, faults, and how much agents read.',
  takes: z.strictObject({ ...spanned, actor: id.optional() }),
  gives: digest({
    ...span,
    activity: section(
      z.object({
        ...acted,
        /** The same of the span before. */
        previous: z.object({ ...span, ...acted, complete: z.boolean() }).exactOptional(),
        /** False: there is more since then than one digest looks through; `from` is as far as it looked. */
        complete: z.boolean(),
        from: time.nullable(),
        actors: few(
          z.object({
            kind: z.string(),
            id: z.string(),
            name: z.string(),
            for: z.string().nullable(),
            done: count,
            rehearsed: count,
            refused: count,
            reads: count,
            last_at: time,
          }),
        ),
        acts: few(z.object({ act: z.string(), done: count, rehearsed: count, refused: count, reads: count })),
        refusals: few(
          z.object({
            count,
            code: z.string(),
            sentence: z.string(),
            acts: z.array(z.string()),
            last_at: time,
          }),
        ),
      }),
    ),
  }),
  example: {},
});
