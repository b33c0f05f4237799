// The way to where a setup step is taken: the first time with what it is about already open.
import { Button, type ButtonProps } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { STEP_WORDS, type StartStep } from './steps.ts';
import { tour } from './tour.ts';

type StepLinkProps = ButtonProps & { step: StartStep; label: string };

export function StepLink({ step: { key, state }, label, children, ...look }: StepLinkProps) {
  const router = useRouter();
  const { to, begins, opens } = STEP_WORDS[key];
  const first = state === 'open';
  const href = `${first ? (begins ?? to) : to}${first && opens ? `?new=${opens}` : ''}`;
  return (
    <Button
      {...look}
      size="compact-sm"
      component="a"
      href={href}
      aria-label={label}
      onClick={(event) => {
        tour(true);
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        router.history.push(href);
      }}
    >
      {children}
    </Button>
  );
}
