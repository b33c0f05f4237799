// Replies that are scheduled, sending, held or uncertain, with the reason and the way back to drafts.
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useAct } from '../../../../../ui/client/hooks.ts';
import { Pill } from '../../../../../ui/kit/pills.tsx';
import type { Answer } from '../../../answers/contract.ts';
import { inZone, useZone } from '../conversation/later-menu.tsx';
import classes from './composer.module.css';

const STATE = {
  sending: { title: 'Sending', tone: 'info' },
  scheduled: { title: 'Scheduled', tone: 'info' },
  held: { title: 'Held', tone: 'bad' },
  uncertain: { title: 'Uncertain', tone: 'warn' },
} as const;
type Shown = keyof typeof STATE;

const SOON_MS = 60_000;

/**
 * One that goes at a moment that was chosen for it is scheduled, by the product's clock: it was sent long before it goes. Null:
 * it isn't on its way.
 */
function shownAs({ state, goes_at, updated_at }: Answer): Shown | null {
  if (state === 'sending' && goes_at !== null && Date.parse(goes_at) - Date.parse(updated_at) > SOON_MS)
    return 'scheduled';
  return state === 'sending' || state === 'held' || state === 'uncertain' ? state : null;
}

export function OnItsWay({ thread, answers }: { thread: string; answers: Answer[] }) {
  const back = useAct('answer_take_back', { touches: ['sends'], says: 'Moved to drafts' });
  const zone = useZone();
  const waiting = answers.flatMap((answer) => {
    const state = shownAs(answer);
    return state === null ? [] : [{ ...answer, state }];
  });
  if (waiting.length === 0) return null;
  return (
    <ul className={classes.waiting} aria-label="Unsent replies">
      {waiting.map((answer) => (
        <li key={answer.id} data-tone={STATE[answer.state].tone}>
          <Pill tone={STATE[answer.state].tone}>{STATE[answer.state].title}</Pill>
          <span className={classes.waitingText}>
            <span dir="auto">{answer.text.slice(0, 120)}</span>
            {answer.state === 'scheduled' && answer.goes_at !== null && (
              <span className={classes.why}>Sends {inZone(zone).format(new Date(answer.goes_at))}</span>
            )}
            {(answer.hold ?? answer.why_not) && (
              <span className={classes.why}>
                {answer.hold ? `${answer.hold.sentence} ${answer.hold.fix}` : answer.why_not}
              </span>
            )}
          </span>
          {answer.can_take_back && (
            <Button
              size="compact-sm"
              variant="default"
              loading={back.isPending}
              onClick={() => back.mutate({ thread, answer: answer.id })}
            >
              Move to drafts
            </Button>
          )}
          {answer.send_id && (
            <Link to="/sends/$send" params={{ send: answer.send_id }}>
              {answer.state === 'uncertain'
                ? 'Confirm outcome'
                : answer.state === 'scheduled'
                  ? 'Details'
                  : 'Why?'}
            </Link>
          )}
        </li>
      ))}
    </ul>
  );
}
