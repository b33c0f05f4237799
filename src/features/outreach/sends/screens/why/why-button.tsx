// "Why hasn’t this been sent?", one click from a campaign, an identity and a domain. Whether it is open is in the address; what
// it shows is loaded when it is first asked for.
import { Button } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { CircleHelp } from 'lucide-react';
import { later } from '../../../../../ui/kit/later.tsx';
import type { Cause, Scope } from './why-drawer.tsx';
import classes from './why-drawer.module.css';

const Drawer = later(
  () => import('./why-drawer.tsx').then((m) => m.WhyDrawer),
  ({ opened }) => opened,
);

type WhyButtonProps = {
  of: Scope;
  /** What it is called. */
  name: string;
  /** What keeps all of it, whatever becomes of single letters. */
  causes?: Cause[];
};

export function WhyButton({ of, name, causes = [] }: WhyButtonProps) {
  const { act } = useSearch({ strict: false });
  const navigate = useNavigate();
  const show = (next: 'why' | undefined): void =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, act: next }), replace: true });
  return (
    <>
      <Button
        variant="default"
        aria-label="Why hasn’t this been sent?"
        className={classes.ask ?? ''}
        onClick={() => show('why')}
      >
        <CircleHelp size={15} aria-hidden />
        <span>Why hasn’t this been sent?</span>
      </Button>
      <Drawer opened={act === 'why'} close={() => show(undefined)} of={of} name={name} causes={causes} />
    </>
  );
}
