// The digest of one conversation: who, where they exist, what they last asked, what was promised, one line a touch. What was
// said is counted and never shown.
import { bind } from '../../../../kernel/context.ts';
import { screenUrl } from '../../../../kernel/links.rules.ts';
import { threadNames } from '../../../../kernel/messages.ts';
import { answerDraft, answerSend } from '../../../inbox/answers/contract.ts';
import { threadUpdate } from '../../../inbox/threads/acts.contract.ts';
import { dealsOfThread } from './people.store.ts';
import { threadDigest } from '../people.contract.ts';
import { fewOf, framed, LINES_MAX, section, short, shortOrNull, within } from '../section.ts';
import { type Touch, threadGet } from '../../../inbox/threads/touches.contract.ts';

const READ = 'inbox.thread.read';

export const thread = bind(threadDigest, async (context, { thread_id }) => {
  const read = await section(context, READ, null, () =>
    context.invoke(threadGet, { thread: thread_id, limit: 200 }),
  );
  if ('may_not_read' in read)
    return framed(context, { thread: read, asks: read, commitments: read, touches: read, draft: read }, []);
  const { thread: row, touches, next_cursor, person, prospect, campaign, draft } = read;
  const commitments = await section(context, 'crm.deal.read', 'crm:deal', async () =>
    (await dealsOfThread(context.db, context.caller, row.id)).flatMap(({ id, expected_on }) =>
      expected_on === null ? [] : [{ kind: 'deal' as const, on: expected_on, ref: id }],
    ),
  );
  const promised = [
    ...touches.flatMap(promisesOf),
    ...(row.snoozed_until === null ? [] : [{ kind: 'snoozed' as const, on: row.snoozed_until, ref: row.id }]),
    ...within(commitments, (deals) => deals, []),
  ];
  const open_at = screenUrl(context.app.instance, 'thread', row.id);
  const on = threadNames(row);
  // Whoever opted out is not written to, also where a gate would let an answer to them go.
  const mayBeWrittenTo =
    row.channel === 'email' && person !== null && !person.suppressed && prospect?.stage !== 'unsubscribed';
  const newest = touches.toReversed();
  const shown = fewOf(newest, lineOf, { count: Math.max(row.touch_count, newest.length) });
  return framed(
    context,
    {
      thread: {
        thread_id: row.id,
        channel: row.channel,
        subject: short(row.subject),
        state: row.state,
        waiting: row.waiting,
        waiting_since: row.waiting_since,
        reading: row.reading,
        assignee: shortOrNull(row.assignee?.name ?? null),
        person: person && {
          id: person.id,
          name: short(person.name),
          company: shortOrNull(person.company),
          suppressed: person.suppressed,
        },
        campaign: campaign && { ...campaign, name: short(campaign.name) },
        stage: prospect?.stage ?? null,
        ended: prospect?.ended ?? null,
        on_hold: prospect?.on_hold ?? false,
      },
      asks: fewOf(asksOf(newest), (touch) => ({
        touch_id: touch.id,
        at: touch.at,
        reading: touch.reading,
        questions: (touch.text.match(/[?？؟]+/gu) ?? []).length,
      })),
      commitments: fewOf(promised, (each) => each),
      touches: next_cursor === null ? shown : { ...shown, more: Math.max(row.touch_count - LINES_MAX, 1) },
      draft: draft && {
        answer_id: draft.id,
        by: short(draft.draft_by.name),
        state: draft.state,
        why_not: draft.why_not,
        newer_message: draft.newer_message,
        updated_at: draft.updated_at,
      },
    },
    [
      {
        what: 'Read what was said.',
        does: threadGet,
        tool: 'thread_get',
        with: { thread_id: row.id },
        open_at,
      },
      mayBeWrittenTo && draft?.state === 'draft' && !draft.newer_message && draft.why_not === null
        ? {
            what: 'Send the draft.',
            does: answerSend,
            tool: 'answer_send',
            with: { answer_id: draft.id },
            on,
            open_at,
            sign_at: open_at,
          }
        : mayBeWrittenTo &&
          !draft &&
          row.waiting === 'us' && {
            what: 'Draft the answer.',
            does: answerDraft,
            tool: 'answer_draft',
            with: { thread_id: row.id },
            on,
            open_at,
          },
      row.state === 'open' && {
        what: 'Close the conversation if it needs no answer.',
        does: threadUpdate,
        with: { thread: row.id, revision: row.revision, state: 'closed' },
        on,
        open_at,
      },
    ],
  );
});

/** What they said, newest first, since we last said something. */
function asksOf(newest: readonly Touch[]): Touch[] {
  const ours = newest.findIndex(({ direction, note }) => direction === 'out' && !note);
  return newest
    .slice(0, ours === -1 ? undefined : ours)
    .filter(({ direction, automatic }) => direction === 'in' && !automatic);
}

const DAY = /^\d{4}-\d{2}-\d{2}/;

/** Days that a reading found in what they said; nothing else of it is taken over. */
function promisesOf({ id, details }: Touch) {
  const day = (kind: 'follow_up' | 'returns', said: unknown) =>
    typeof said === 'string' && DAY.test(said) ? [{ kind, on: said.slice(0, 10), ref: id }] : [];
  return [...day('follow_up', details['follow_up_on']), ...day('returns', details['returns_on'])];
}

const lineOf = (touch: Touch) => ({
  touch_id: touch.id,
  at: touch.at,
  direction: touch.direction,
  channel: touch.channel,
  note: touch.note,
  from: shortOrNull(touch.from?.name ?? touch.from?.address ?? touch.by?.name ?? null),
  subject: short(touch.subject),
  reading: touch.reading,
  automatic: touch.automatic,
  attachments: touch.attachments.length,
});
