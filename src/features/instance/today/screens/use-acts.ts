// Actions of Today. A row leaves at once and returns with the refusal if there is one.
import { useAct } from '../../../../ui/client/hooks.ts';
import { confirm } from '../../../../ui/kit/confirm.ts';
import type { TodayRow } from '../contract.ts';

export type Doing = 'approve' | 'return' | 'answer' | 'snooze' | 'sent' | 'not_sent' | 'again';

type Settling = { settle: (row: TodayRow) => void; back: (row: TodayRow) => void };

export const TOO_LONG = 'This letter is too long to approve here. Open it to read it first.';

/** Why that cannot be done to this row; null where it can. */
export function closedFor(row: TodayRow, doing: Doing): string | null {
  const { act } = row;
  if (!act) return 'No action available here.';
  if (act.closed !== null) return act.closed;
  return act.kind === 'letter' && doing === 'approve' && !act.whole ? TOO_LONG : null;
}

/** Which acts a row has, with their letters; the first is the one that most often is meant. */
export function actsOf({ act }: TodayRow): { doing: Doing; key: string; title: string }[] {
  switch (act?.kind) {
    case 'approval':
    case 'letter':
      return [
        { doing: 'approve', key: 'a', title: 'Approve' },
        { doing: 'return', key: 'r', title: 'Return' },
      ];
    case 'thread':
      return [
        { doing: 'answer', key: 'r', title: 'Answer' },
        { doing: 'snooze', key: 's', title: 'Snooze' },
      ];
    case 'uncertain':
      return [
        { doing: 'sent', key: 'y', title: 'Mark as sent' },
        { doing: 'not_sent', key: 'n', title: 'Mark as not sent' },
      ];
    case 'event':
      return [{ doing: 'again', key: 'e', title: 'Send again' }];
    case undefined:
      return [];
  }
}

export function useTodayActs({ settle, back }: Settling) {
  const decide = useAct('approval_decide');
  const approve = useAct('send_approve');
  const give_back = useAct('send_return');
  const snooze = useAct('thread_update', { touches: ['threads'] });
  const resolve = useAct('send_resolve');
  const again = useAct('events_redeliver');

  /** `said`: the note of what is returned, or until when something is snoozed. */
  return async function act(row: TodayRow, doing: Doing, said?: string): Promise<void> {
    const { act: on, id, title } = row;
    if (!on || closedFor(row, doing) !== null) return;
    const refused = { onError: () => back(row) };
    if (on.kind === 'uncertain') {
      const sent = doing === 'sent';
      const yes = await confirm(
        sent
          ? {
              title: 'Mark as sent?',
              says: `This letter won’t be sent again, and ${title} continues with the next step. If the letter wasn’t actually sent, ${title} never gets it.`,
              act: 'Mark as sent',
            }
          : {
              title: 'Send it again?',
              says: `This sends the letter to ${on.to} again. If the first one arrived, ${title} gets it twice.`,
              act: 'Send again',
              tone: 'bad',
            },
      );
      if (!yes) return;
      settle(row);
      return resolve.mutate({ send: id, outcome: sent ? 'sent' : 'not_sent' }, refused);
    }
    settle(row);
    if (on.kind === 'approval')
      decide.mutate(
        {
          approval: id,
          revision: on.revision,
          decision: doing === 'approve' ? 'approve' : 'return',
          ...(said ? { note: said } : {}),
        },
        refused,
      );
    else if (on.kind === 'letter' && doing === 'approve')
      approve.mutate({ send: id, fingerprint: on.fingerprint }, refused);
    else if (on.kind === 'letter') give_back.mutate({ send: id, note: said ?? '' }, refused);
    else if (on.kind === 'thread') {
      if (said) snooze.mutate({ thread: id, revision: on.revision, snoozed_until: said }, refused);
    } else again.mutate({ id }, refused);
  };
}
