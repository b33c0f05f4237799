// What is done to many letters: cancelled, kept back, asked again; one call for each, with how far it is and what was refused.
// Where held letters are listed, their reasons stand above them with how many each holds.
import { Button, Progress } from '@mantine/core';
import { useState } from 'react';
import { ApiError, call } from '../../../ui/client/call.ts';
import { staleAfter } from '../../../ui/client/topics.ts';
import { ActButton } from '../../../ui/kit/act-button.tsx';
import { confirm } from '../../../ui/kit/confirm.ts';
import type { Send } from '../contract.ts';
import { HOLDS, type HoldReason } from '../reasons.rules.ts';
import { isUnstarted } from '../send.rules.ts';
import { addressee, inWords, whoLifts } from './words.ts';
import classes from './sends.module.css';

type Did = 'cancel' | 'hold' | 'recheck';
type Run = { did: Did; total: number; done: number; refused: string[]; over: boolean };

/** Calls under way at once: enough to hide the way there and back, few enough to leave the product to others. */
const AT_ONCE = 4;
const WORD: Record<Did, string> = { cancel: 'cancelled', hold: 'kept back', recheck: 'asked again' };

const act: Record<Did, (id: string) => Promise<unknown>> = {
  cancel: (send) => call('send_cancel', { send }),
  hold: (send) => call('send_hold', { send }),
  recheck: (send) => call('send_recheck', { send }),
};

type SendsBulkProps = { chosen: Send[]; held: Send[]; clear: () => void; show: (reason: HoldReason) => void };

export function SendsBulk({ chosen, held, clear, show }: SendsBulkProps) {
  const [run, setRun] = useState<Run | null>(null);
  const start = async (did: Did, sends: Send[]): Promise<void> => {
    let now: Run = { did, total: sends.length, done: 0, refused: [], over: false };
    const step = (next: Partial<Run>): void => setRun((now = { ...now, ...next }));
    step({});
    const left = [...sends];
    const worker = async (): Promise<void> => {
      for (let send = left.shift(); send; send = left.shift())
        try {
          await act[did](send.id);
          step({ done: now.done + 1 });
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          step({ done: now.done + 1, refused: [...now.refused, `${addressee(send)}: ${error.sentence}`] });
        }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    step({ over: true });
    clear();
    await staleAfter('send_cancel');
  };
  const open = chosen.filter(({ state }) => isUnstarted(state));
  const shut = chosen.filter(({ state }) => state === 'held');
  const keep = chosen.filter(({ state }) => state === 'review' || state === 'scheduled');
  const cancel = async (): Promise<void> => {
    const yes = await confirm({
      title: open.length === 1 ? 'Cancel this letter?' : `Cancel ${open.length} letters?`,
      says: 'They never go, and a cancelled letter does not come back: its step is written anew where one is wanted.',
      act: open.length === 1 ? 'Cancel the letter' : `Cancel ${open.length} letters`,
      tone: 'bad',
    });
    if (yes) await start('cancel', open);
  };
  const busy = run !== null && !run.over;
  return (
    <>
      {held.length > 0 && chosen.length === 0 && !run && <Reasons held={held} show={show} />}
      {(chosen.length > 0 || run) && (
        <div className={classes.bulk} role="region" aria-label="Selected letters">
          {chosen.length > 0 && !busy && (
            <>
              <strong>{chosen.length} selected</strong>
              <ActButton
                variant="default"
                closed={shut.length ? null : 'None of them is held.'}
                onClick={() => void start('recheck', shut)}
              >
                Ask gates again
              </ActButton>
              <ActButton
                variant="default"
                closed={keep.length ? null : 'None of them is in review or scheduled.'}
                onClick={() => void start('hold', keep)}
              >
                Keep back
              </ActButton>
              <ActButton
                variant="light"
                color="red"
                closed={open.length ? null : 'All of them have started or are over.'}
                onClick={() => void cancel()}
              >
                Cancel
              </ActButton>
              <Button variant="subtle" color="gray" onClick={clear}>
                Clear
              </Button>
            </>
          )}
          {run && (
            <div className={classes.run} role="status">
              <span>
                {run.done - run.refused.length} of {run.total} {WORD[run.did]}
                {run.refused.length > 0 && `, ${run.refused.length} refused`}
              </span>
              {!run.over && <Progress value={(run.done / run.total) * 100} aria-label="How far it is" />}
              {run.over && (
                <Button size="compact-sm" variant="subtle" color="gray" onClick={() => setRun(null)}>
                  Close
                </Button>
              )}
              {run.over && run.refused.length > 0 && (
                <ul className={classes.refusals}>
                  {run.refused.slice(0, 10).map((sentence) => (
                    <li key={sentence}>{sentence}</li>
                  ))}
                  {run.refused.length > 10 && <li>and {run.refused.length - 10} more</li>}
                </ul>
              )}
            </div>
          )}
        </div>
      )}
    </>
  );
}

/** One cause often holds many letters: most first. */
function Reasons({ held, show }: { held: Send[]; show: (reason: HoldReason) => void }) {
  const by = Map.groupBy(
    held.flatMap(({ hold }) => (hold ? [hold] : [])),
    ({ reason }) => reason,
  );
  const groups = [...by].toSorted(([, a], [, b]) => b.length - a.length);
  return (
    <ul className={classes.reasons} aria-label="What holds them">
      {groups.map(([reason, of]) => (
        <li key={reason}>
          <button type="button" onClick={() => show(reason)}>
            <strong>
              {inWords(reason)} <span className={classes.many}>{of.length}</span>
            </strong>
            <span>
              {HOLDS[reason].fix} {whoLifts(HOLDS[reason].who)}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
