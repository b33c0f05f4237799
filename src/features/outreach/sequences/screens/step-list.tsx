// The steps in order, each a line: chosen by click or Enter, moved by drag or with its two buttons.
import { ActionIcon } from '@mantine/core';
import { ArrowDown, ArrowUp, GitFork, Hourglass, Mail, SquareCheck, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { type DraftStep, KIND_WORD, type StepFaults, stepWord, waitWord } from './draft.rules.ts';
import classes from './steps.module.css';

const ICON = { letter: Mail, task: SquareCheck, wait: Hourglass, branch: GitFork };

type StepListProps = {
  steps: DraftStep[];
  open: string | null;
  faults: ReadonlyMap<number, StepFaults>;
  show: (id: string) => void;
  move: (from: number, to: number) => void;
  closed: boolean;
};

export function StepList({ steps, open, faults, show, move, closed }: StepListProps) {
  const [dragged, setDragged] = useState<number | null>(null);
  const [heard, setHeard] = useState('');
  const go = (from: number, to: number): void => {
    move(from, to);
    setHeard(`Step ${from + 1} is now step ${to + 1} of ${steps.length}.`);
  };
  return (
    <>
      <ol className={classes.list} aria-label="Steps">
        {steps.map((step, at) => {
          const Icon = ICON[step.kind];
          const word = stepWord(step, at);
          return (
            <li
              key={step.id}
              data-open={step.id === open || undefined}
              data-dragged={dragged === at || undefined}
              draggable={!closed}
              onDragStart={() => setDragged(at)}
              onDragEnd={() => setDragged(null)}
              onDragOver={(event) => dragged !== null && event.preventDefault()}
              onDrop={() => dragged !== null && dragged !== at && go(dragged, at)}
            >
              <button
                type="button"
                className={classes.pick}
                aria-current={step.id === open ? 'step' : undefined}
                onClick={() => show(step.id)}
              >
                <Icon size={16} aria-hidden />
                <span>
                  <strong>
                    {at + 1}. {word.slice(word.indexOf(':') + 2)}
                  </strong>
                  <small>
                    {KIND_WORD[step.kind]}
                    {step.kind !== 'wait' && ` · ${at === 0 ? 'first' : waitWord(step.wait)}`}
                  </small>
                </span>
                {faults.has(at) && <TriangleAlert size={15} role="img" aria-label="Errors" />}
              </button>
              {!closed && (
                <span className={classes.moves}>
                  <ActionIcon
                    size="sm"
                    aria-label={`Move up: ${word}`}
                    disabled={at === 0}
                    onClick={() => go(at, at - 1)}
                  >
                    <ArrowUp size={14} />
                  </ActionIcon>
                  <ActionIcon
                    size="sm"
                    aria-label={`Move down: ${word}`}
                    disabled={at === steps.length - 1}
                    onClick={() => go(at, at + 1)}
                  >
                    <ArrowDown size={14} />
                  </ActionIcon>
                </span>
              )}
            </li>
          );
        })}
      </ol>
      <span className="unseen" role="status">
        {heard}
      </span>
    </>
  );
}
