// Where one is in an import, and the way back to what came before; and the row of buttons below each step.
import type { ReactNode } from 'react';
import { useEffect, useRef } from 'react';
import classes from './imports.module.css';

export const STEPS = ['file', 'columns', 'plan'] as const;
export type ImportStep = (typeof STEPS)[number];

const TITLE: Record<ImportStep, string> = { file: 'File', columns: 'Columns', plan: 'Plan' };

type StepsProps = { now: ImportStep; open: (step: ImportStep) => boolean; go: (step: ImportStep) => void };

export const Steps = ({ now, open, go }: StepsProps) => (
  <ol className={classes.steps} aria-label="Steps of the import">
    {STEPS.map((step, i) => {
      const here = step === now;
      const inner = (
        <>
          <span className={classes.number} aria-hidden>
            {i + 1}
          </span>
          {TITLE[step]}
        </>
      );
      return (
        <li key={step} aria-current={here ? 'step' : undefined} data-here={here || undefined}>
          {!here && open(step) ? (
            <button type="button" onClick={() => go(step)}>
              {inner}
            </button>
          ) : (
            <span>{inner}</span>
          )}
        </li>
      );
    })}
    <li>
      <span>
        <span className={classes.number} aria-hidden>
          {STEPS.length + 1}
        </span>
        Result
      </span>
    </li>
  </ol>
);

/** The heading of a step; it takes the focus when its step opens, so that reading goes on from there. */
export function StepHead({ title, children, focus }: { title: string; children: ReactNode; focus: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (focus) heading.current?.focus();
  }, [focus]);
  return (
    <div className={classes.head}>
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
      <p>{children}</p>
    </div>
  );
}

export const StepEnd = ({ children }: { children: ReactNode }) => (
  <div className={classes.end}>
    <div>{children}</div>
  </div>
);
