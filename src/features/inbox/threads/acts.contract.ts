// What is done to threads: assigning, snoozing, closing and labelling, marks of what was read, touches written down by hand,
// merging and splitting.
import { z } from 'zod';
import { CREATED, OK, operation } from '../../../kernel/operation.ts';
import { id, revision, text, time } from '../../../kernel/shapes.ts';
import { spineMove } from '../../outreach/prospects/contract.ts';
import { exampleThread, reading, thread } from './contract.ts';
import { LABELS_MAX, THREAD_STATES } from './names.rules.ts';
import { touch } from './touches.contract.ts';

const acts = { effect: 'write', who: 'anyone', step_up: 'no', wire: 'never' } as const;

const MANUAL = ['sms', 'linkedin', 'call'] as const;

export const threadUpdate = operation({
  ...acts,
  name: 'thread_update',
  says: 'Assigns a thread, snoozes it until a time, closes or reopens it, or sets its labels; it needs the revision that was read. A closed or snoozed thread opens again when they write.',
  method: 'PATCH',
  path: '/api/threads/:thread',
  takes: z.strictObject({
    thread: id,
    revision,
    /** The id of a person or of a token; `me` is the caller, `none` (or null) no one. */
    assignee: z
      .union([z.enum(['me', 'none']), id])
      .nullable()
      .optional(),
    state: z.enum(THREAD_STATES).optional(),
    /** Snoozes; at most a year from now. */
    snoozed_until: time.optional(),
    labels: z.array(text(60)).max(LABELS_MAX).optional(),
    subject: z.string().trim().max(300).optional(),
  }),
  gives: z.object({ thread }),
  example: { thread: exampleThread, revision: 1, state: 'closed' },
  needs: { action: 'inbox.thread.write', on: 'row' },
  answers: OK,
});

export const threadRead = operation({
  ...acts,
  name: 'thread_read',
  says: 'Marks a thread as read or unread for the user who asks; other users’ marks don’t change.',
  method: 'POST',
  path: '/api/threads/:thread/read',
  takes: z.strictObject({
    thread: id,
    /** `updated_at` of the thread as it was read: what came later stays unread. Now, where nothing is given. */
    up_to: time.optional(),
    unread: z.boolean().default(false),
  }),
  gives: z.object({ thread }),
  example: { thread: exampleThread },
  needs: { action: 'inbox.thread.read', on: 'row' },
  answers: OK,
});

/** What a person writes down of a contact that went by another way than mail, or a note for colleagues. */
const manual = {
  channel: z.enum(MANUAL),
  /** `in`: they called or wrote; `out`: we did. */
  direction: z.enum(['in', 'out']),
  text: text(20_000),
  /** When it was; now, where nothing is given. */
  at: time.optional(),
  /** Of what they said: what it means, where whoever writes it down knows. */
  reading: reading.optional(),
};

const written = z.object({
  touch,
  thread,
  /** What happened to their stage in the campaign, where what they said asked for one. */
  move: spineMove.nullable(),
  /** The deal that it opened. */
  deal_id: id.nullable(),
});

export const touchCreate = operation({
  ...acts,
  name: 'touch_create',
  says: 'Writes a call, a text message or a LinkedIn message into a thread, or with note: true a private note that no one outside sees. What they said stops sequences, as a mail of theirs does. Sends nothing.',
  method: 'POST',
  path: '/api/threads/:thread/touches',
  takes: z.strictObject({
    thread: id,
    ...manual,
    channel: manual.channel.optional(),
    direction: manual.direction.optional(),
    note: z.boolean().default(false),
  }),
  gives: written,
  example: { thread: exampleThread, channel: 'call', direction: 'in', text: 'She asked for the price list.' },
  needs: { action: 'inbox.thread.write', on: 'row' },
  answers: CREATED,
});

export const threadCreate = operation({
  ...acts,
  name: 'thread_create',
  says: 'Starts a conversation with someone by logging a first call, text message or LinkedIn message, for a campaign if one is given. If one exists on that channel, it continues there.',
  method: 'POST',
  path: '/api/threads',
  takes: z.strictObject({ person: id, campaign: id.optional(), ...manual }),
  gives: written,
  example: { person: exampleThread, channel: 'call', direction: 'out', text: 'No answer, a message left.' },
  needs: { action: 'inbox.thread.create', on: () => ['inbox:thread'] },
  answers: CREATED,
});

export const threadMerge = operation({
  ...acts,
  name: 'thread_merge',
  says: 'Merges a second thread into this one: what was said keeps its ids, and the other thread’s id leads here from then on. Threads of two people are not merged: merge the people first.',
  method: 'POST',
  path: '/api/threads/:thread/merge',
  takes: z.strictObject({ thread: id, from: id, revision, from_revision: revision }),
  gives: z.object({ thread }),
  example: {
    thread: exampleThread,
    from: '0198c0de-0000-7000-8000-000000000074',
    revision: 1,
    from_revision: 1,
  },
  needs: { action: 'inbox.thread.merge', on: 'row' },
  answers: OK,
});

export const threadSplit = operation({
  ...acts,
  name: 'thread_split',
  says: 'Moves some of what was said into a thread of its own: touches keep their ids, and both threads work out again who waits.',
  method: 'POST',
  path: '/api/threads/:thread/split',
  takes: z.strictObject({
    thread: id,
    revision,
    touches: z.array(id).min(1).max(200),
    subject: text(300).optional(),
  }),
  gives: z.object({ thread, split: thread }),
  example: {
    thread: exampleThread,
    revision: 1,
    touches: ['0198c0de-0000-7000-8000-000000000072'],
  },
  needs: { action: 'inbox.thread.split', on: 'row' },
  answers: CREATED,
});
