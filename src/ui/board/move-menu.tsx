// "Move to…" of a card, open as long as it exists; the board says on which card. Digits choose, as do the arrows.
import { Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import { useDigits } from '../kit/digits.ts';
import classes from './card.module.css';

type MoveMenuProps = {
  /** What is moved, as it is called. */
  name: string;
  title: string;
  width: number;
  closed: () => void;
  children: ReactNode;
};

export function CardMenu({ name, title, width, closed, children }: MoveMenuProps) {
  const digits = useDigits();
  return (
    <Menu
      opened
      onChange={(open) => !open && closed()}
      position="bottom-end"
      width={width}
      returnFocus={false}
      portalProps={{ target: '#screen' }}
    >
      <Menu.Target>
        <button type="button" className={classes.anchor} tabIndex={-1} aria-hidden />
      </Menu.Target>
      <Menu.Dropdown aria-label={`Move ${name} to`} ref={digits}>
        <Menu.Label>{title}</Menu.Label>
        {children}
      </Menu.Dropdown>
    </Menu>
  );
}
