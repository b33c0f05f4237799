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
const span = { since: maybe, until: maybe, compare: z.literal('previous').optional() };

type Row = [operation: AnyOperation, title: string, says: string, takes: z.ZodRawShape];

const ROWS: Row[] = [
  [
    instanceDigest,
    'Digest of the desk',
    'Call this first: what changed since (default: 1d), what waits for a person, what is broken, and the next step for each. since takes a time, a day, yesterday or 7d.',
    span,
  ],
  [
    campaignDigest,
    'Digest of a campaign',
    'State, counts, rates, what needs attention, today’s plan and the expected finish.',
    { campaign: text },
  ],
  [
    sequenceDigest,
    'Digest of the steps',
    'Per step: letters, sent, replied, positive, bounced, unsubscribed, median days. step: position from 0.',
    { campaign: text, step: z.int().optional() },
  ],
  [
    heldDigest,
    'Digest of held letters',
    'Held letters by reason: how many, since when, what releases them, and who can.',
    { campaign: maybe, reason: maybe },
  ],
  [
    sendingDigest,
    'Digest of sending',
    'Domains and identities: authentication, rates against limits, what is left for today, and when the next letter goes or why none does.',
    { domain: maybe, identity: maybe },
  ],
  [
    repliesDigest,
    'Digest of replies',
    'Replies by reading since (default: 7d), then who is waiting, longest first.',
    { ...span, campaign: maybe, reading: maybe },
  ],
  [
    threadDigest,
    'Digest of a thread',
    'Person, stage, open questions, commitments, one line per message, and the draft. No texts.',
    { thread_id: text },
  ],
  [
    personDigest,
    'Digest of a person',
    'By id or address: basis, suppression, verification, campaigns, latest messages, notes, cards and deals.',
    { person_id: maybe, address: maybe },
  ],
  [
    dealsDigest,
    'Digest of deals',
    'Open deals by stage with sums, stale deals, and those won and lost since (default: 30d).',
    { ...span, campaign: maybe, stale_days: z.int().optional() },
  ],
  [
    workDigest,
    'Digest of a project',
    'Columns, parked items, claims, blocked and overdue items, and room in review.',
    { project: text },
  ],
  [
    activityDigest,
    'Digest of activity',
    'What tokens and agents changed and read since (default: 1d), dry runs apart, and refusals by sentence.',
    { ...span, actor: maybe },
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
