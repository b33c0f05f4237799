// A button that can be closed with a reason. It stays reachable by keyboard, so the reason can be read, and does nothing when
// pressed.
import { Button, type ButtonProps } from '@mantine/core';
import type { MouseEvent, ReactNode } from 'react';
import { DECISION } from './tabbed.ts';
import { Tip } from './tip.tsx';

type ActButtonProps = ButtonProps & {
  /** The sentence that says why it is closed; null when it is open. */
  closed?: string | null;
  /** Space and Enter press it only where someone went to it with Tab. */
  decides?: boolean;
  onClick?: (event: MouseEvent<HTMLButtonElement>) => void;
  type?: 'button' | 'submit';
  children: ReactNode;
};

export function ActButton({
  closed = null,
  decides = false,
  onClick,
  type = 'button',
  children,
  ...rest
}: ActButtonProps) {
  const guard = decides ? DECISION : {};
  if (closed === null)
    return (
      <Button {...rest} {...guard} type={type} onClick={onClick}>
        {children}
      </Button>
    );
  return (
    <Tip label={closed}>
      <Button
        {...rest}
        type="button"
        data-disabled
        aria-disabled="true"
        aria-description={closed}
        onClick={(event) => event.preventDefault()}
      >
        {children}
      </Button>
    </Tip>
  );
}
