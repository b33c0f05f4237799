// The digests as tools, each over its own route. Arguments are typed loosely on purpose: the operation parses them again, and
// every character here is read by every model at every start.
import { z } from 'zod';
import type { AnyOperation } from '../../../kernel/operation.ts';
import { READS, tool, type Tool } from '../../../kernel/tool.ts';
import { activityDigest, instanceDigest, workDigest } from './contract.ts';
import { campaignDigest, heldDigest, sendingDigest, sequenceDigest } from './outreach.contract.ts';
import { dealsDigest, personDigest, repliesDigest, threadDigest } from './people.contract.ts';

const text = z.string();
const maybe = text.optional();

type Row = [operation: AnyOperation, title: string, says: string, takes: z.ZodRawShape];

const ROWS: Row[] = [
  [
    instanceDigest,
    'Digest of the desk',
    'Call first: what changed since (a day), what waits for a person, what is broken, and the next tool for each.',
    { since: maybe },
  ],
  [
    campaignDigest,
    'Digest of a campaign',
    'State, counts, rates, what asks for attention, the plan of today and the finish.',
    { campaign: text },
  ],
  [
    sequenceDigest,
    'Digest of the steps',
    'Per step: sent, replied, positive, bounced, unsubscribed, median days. step: position from 0.',
    { campaign: text, step: z.int().optional() },
  ],
  [
    heldDigest,
    'Digest of held letters',
    'Held letters by reason: how many, since when, what lifts each, who may.',
    { campaign: maybe, reason: maybe },
  ],
  [
    sendingDigest,
    'Digest of sending',
    'Domains and identities: authentication, rates against limits, what is left today, the next letter or why none.',
    { domain: maybe, identity: maybe },
  ],
  [
    repliesDigest,
    'Digest of replies',
    'Replies by reading since (a week), unread first, then who waits longest.',
    { since: maybe, campaign: maybe, reading: maybe },
  ],
  [
    threadDigest,
    'Digest of a thread',
    'Who, how far, last asks, promises, a line per touch, the draft. No texts.',
    { thread_id: text },
  ],
  [
    personDigest,
    'Digest of a person',
    'By id or address: basis, suppression, verification, campaigns, threads, deals.',
    { person_id: maybe, address: maybe },
  ],
  [
    dealsDigest,
    'Digest of deals',
    'Open deals by stage with sums, stale ones, won and lost in 30 days.',
    { campaign: maybe, stale_days: z.int().optional() },
  ],
  [
    workDigest,
    'Digest of a project',
    'Columns, parked, claims, blocked, overdue, room in review.',
    { project: text },
  ],
  [
    activityDigest,
    'Digest of activity',
    'What tokens and agents changed and read since (a day), refusals grouped by sentence.',
    { since: maybe, actor: maybe },
  ],
];

export const digestTools: Tool[] = ROWS.map(([operation, title, says, takes]) =>
  tool({
    name: operation.name,
    title,
    says,
    hints: READS,
    takes: z.strictObject(takes),
    example: operation.example,
    calls: [operation],
    pick: (args) => ({ operation, arguments: args }),
  }),
);
