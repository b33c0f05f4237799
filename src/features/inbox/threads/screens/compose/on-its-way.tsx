// Answers that were sent and have not gone, or of which no one knows: where each exists, why, and the way back.
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useAct } from '../../../../../ui/client/hooks.ts';
import { Pill } from '../../../../../ui/kit/pills.tsx';
import type { Answer } from '../../../answers/contract.ts';
import classes from './composer.module.css';

const STATE = {
  sending: { title: 'On its way', tone: 'info' },
  held: { title: 'Held', tone: 'bad' },
  uncertain: { title: 'Did it go?', tone: 'warn' },
} as const;
type Shown = keyof typeof STATE;

const isShown = (state: Answer['state']): state is Shown => state in STATE;

export function OnItsWay({ thread, answers }: { thread: string; answers: Answer[] }) {
  const back = useAct('answer_take_back', { touches: ['sends'], says: 'Taken back: it is a draft again.' });
  const waiting = answers.flatMap((answer) =>
    isShown(answer.state) ? [{ ...answer, state: answer.state }] : [],
  );
  if (waiting.length === 0) return null;
  return (
    <ul className={classes.waiting} aria-label="Answers that have not gone">
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
              Take it back
            </Button>
          )}
          {answer.send_id && (
            <Link to="/sends/$send" params={{ send: answer.send_id }}>
              {answer.state === 'uncertain' ? 'Say what became of it' : 'Why?'}
            </Link>
          )}
        </li>
      ))}
    </ul>
  );
}
