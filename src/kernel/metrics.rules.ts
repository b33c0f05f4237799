// The product’s metrics, each defined once: what it counts, and by which moment it falls into a span. Digests, statistics and
// screens use these names and stages; docs/guide/metrics-defined.md is generated from this table.

/** The stages of a campaign that count for each metric of people: whoever was ever at one of them is counted, once. */
export const REACHED = {
  contacted: ['contacted', 'bounced', 'replied', 'declined', 'positive', 'meeting', 'won', 'unsubscribed'],
  bounced: ['bounced'],
  replied: ['replied', 'declined', 'positive', 'meeting', 'won'],
  declined: ['declined'],
  positive: ['positive', 'meeting', 'won'],
  meeting: ['meeting', 'won'],
  won: ['won'],
  unsubscribed: ['unsubscribed'],
} as const;

type Metric = {
  counts: string;
  /** The moment by which it falls into a span; null: it says what is so now, and has no span. */
  by: string | null;
};

const DAY_REACHED = 'the day (UTC) on which they first reached that';
const DAY_STARTED = 'the day on which the letter started, in the campaign’s time zone';

/** By what they count; a name means one thing within its group, whichever answer it is in. */
export const METRICS = {
  people: {
    people: { counts: 'People ever enrolled in a campaign. Over a span it is called `enrolled`.', by: null },
    enrolled: { counts: 'People enrolled in a campaign.', by: 'the day (UTC) of their enrolment' },
    contacted: { counts: 'People who ever left the stage `enrolled`, whatever came of it.', by: DAY_REACHED },
    bounced: { counts: 'People who ever were at the stage `bounced`.', by: DAY_REACHED },
    replied: {
      counts:
        'People who ever replied: they were at `replied` or a stage that a reply leads to, also if they unsubscribed later.',
      by: DAY_REACHED,
    },
    declined: { counts: 'People who ever were at the stage `declined`.', by: DAY_REACHED },
    positive: { counts: 'People who ever were at `positive` or beyond it.', by: DAY_REACHED },
    meetings: { counts: 'People who ever were at `meeting` or beyond it.', by: DAY_REACHED },
    won: { counts: 'People who ever were at the stage `won`.', by: DAY_REACHED },
    unsubscribed: { counts: 'People who unsubscribed or complained.', by: DAY_REACHED },
  },
  letters: {
    letters: {
      counts: 'Letters of a campaign that started to leave, whatever came of them.',
      by: DAY_STARTED,
    },
    sent_today: { counts: 'The metric `letters` for today, in the campaign’s time zone.', by: null },
    sent: { counts: 'Letters in the state `sent`.', by: null },
    drafted: { counts: 'Letters in the state `drafted`.', by: null },
    review: { counts: 'Letters waiting for review.', by: null },
    scheduled: { counts: 'Letters in the state `scheduled`.', by: null },
    held: { counts: 'Letters held by a gate.', by: null },
    uncertain: { counts: 'Letters that may or may not have left.', by: null },
    letters_bounced: { counts: 'Letters that bounced permanently.', by: null },
  },
  inbox: {
    replies: {
      counts: 'Messages that came in on any channel but chats, automatic ones included.',
      by: 'the moment at which the message was sent',
    },
    automatic: { counts: 'The part of `replies` that a machine wrote.', by: 'as `replies`' },
    by_reading: {
      counts: '`replies` by what they mean; `unread` has not been read yet.',
      by: 'as `replies`',
    },
    unanswered: { counts: 'Conversations that wait for our answer.', by: null },
    mine: { counts: 'The part of `unanswered` that is assigned to the caller.', by: null },
    drafts: { counts: 'Drafted answers that no one has sent.', by: null },
  },
  deals: {
    opened: { counts: 'Deals created.', by: 'the moment of their creation' },
    won: { counts: 'Deals that are won.', by: 'the moment at which they were closed' },
    lost: { counts: 'Deals that are lost.', by: 'the moment at which they were closed' },
    stale: { counts: 'Open deals that no one changed for 14 days, or for `stale_days`.', by: null },
  },
  work: {
    created: { counts: 'Work items created.', by: 'the moment of their creation' },
    completed: { counts: 'Work items that are done.', by: 'the moment at which they were done' },
    parked: { counts: 'Work items waiting for review.', by: null },
    overdue: { counts: 'Open work items whose due date (UTC) has passed.', by: null },
  },
  activity: {
    done: { counts: 'Acts of tokens and agents that changed something.', by: 'the moment of the act' },
    rehearsed: { counts: 'Dry runs: acts that were asked to change nothing.', by: 'the moment of the act' },
    refused: { counts: 'Acts that were refused.', by: 'the moment of the act' },
    faults: { counts: 'Acts that failed by a fault of the instance.', by: 'the moment of the act' },
    reads: { counts: 'Reads by agents, of the last 30 days.', by: 'the moment of the last read of its kind' },
  },
} as const satisfies Record<string, Record<string, Metric>>;

/** Shares, each of one metric in another; null below the campaign’s floor of letters. */
export const RATES = {
  reply: ['replied', 'contacted'],
  positive: ['positive', 'contacted'],
  unsubscribe: ['unsubscribed', 'contacted'],
  bounce: ['letters_bounced', 'letters'],
  /** Of one step. */
  reply_rate: ['replied', 'letters'],
} as const;
