// Replies that are sending, held or uncertain, with the reason and the way back to drafts.
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useAct } from '../../../../../ui/client/hooks.ts';
import { Pill } from '../../../../../ui/kit/pills.tsx';
import type { Answer } from '../../../answers/contract.ts';
import classes from './composer.module.css';

const STATE = {
  sending: { title: 'Sending', tone: 'info' },
  held: { title: 'Held', tone: 'bad' },
  uncertain: { title: 'Sent?', tone: 'warn' },
} as const;
type Shown = keyof typeof STATE;

const isShown = (state: Answer['state']): state is Shown => state in STATE;

export function OnItsWay({ thread, answers }: { thread: string; answers: Answer[] }) {
  const back = useAct('answer_take_back', { touches: ['sends'], says: 'Reply moved back to drafts.' });
  const waiting = answers.flatMap((answer) =>
    isShown(answer.state) ? [{ ...answer, state: answer.state }] : [],
  );
  if (waiting.length === 0) return null;
  return (
    <ul className={classes.waiting} aria-label="Unsent replies">
      {waiting.map((answer) => (
        <li key={answer.id} data-tone={STATE[answer.state].tone}>
          <Pill tone={STATE[answer.state].tone}>{STATE[answer.state].title}</Pill>
          <span className={classes.waitingText}>
            <span dir="auto">{answer.text.slice(0, 120)}</span>
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
              {answer.state === 'uncertain' ? 'Confirm outcome' : 'Why?'}
            </Link>
          )}
        </li>
      ))}
    </ul>
  );
}
