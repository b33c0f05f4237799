// A line over the screens of the setup steps: how many are left, and the next of them, one click away.
import { CloseButton } from '@mantine/core';
import { Link, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useRead } from '../../../../ui/client/hooks.ts';
import { StepLink } from './step-link.tsx';
import { AS_IT_STANDS, STEP_WORDS } from './steps.ts';
import { tour } from './tour.ts';
import classes from './first-run.module.css';

export function NextStep() {
  const at = useRouterState({ select: ({ location }) => location.href });
  const { data, refetch } = useRead('start_get', {}, AS_IT_STANDS);
  // A step is often taken on the very screen it leads to.
  useEffect(() => void refetch(), [at, refetch]);
  const left = data?.steps.filter(({ state }) => state === 'open') ?? [];
  const [next] = left;
  if (!data || at.startsWith('/start')) return null;
  const { title, act } = next ? STEP_WORDS[next.key] : STEP_WORDS.domain;
  return (
    <section aria-label="Setup" className={classes.bar}>
      <Link to="/start">Get started</Link>
      <span className={classes.says}>
        {next ? `Next: ${title.toLowerCase()}.` : 'No steps left to begin.'}
      </span>
      {next && (
        <StepLink step={next} label={`Next step: ${act}`} variant="default">
          {act}
        </StepLink>
      )}
      <CloseButton size="sm" aria-label="Hide setup" onClick={() => tour(false)} />
    </section>
  );
}
