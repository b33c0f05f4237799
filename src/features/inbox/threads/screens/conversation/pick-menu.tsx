// Menu opened by one key, with number keys for its first nine choices.
import { Menu } from '@mantine/core';
import { Check } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { ReactElement, ReactNode } from 'react';
import classes from './pick-menu.module.css';

export type Pick = { key: string; title: ReactNode; beside?: ReactNode; chosen?: boolean; run: () => void };

type PickMenuProps = {
  opened: boolean;
  onChange: (opened: boolean) => void;
  picks: Pick[];
  /** The button that it hangs on, which names it too. */
  children: ReactElement;
  /** Below the choices. */
  foot?: ReactNode;
  width?: number | string;
};

const NUMBERED = 9;

export function PickMenu({ opened, onChange, picks, children, foot, width = 320 }: PickMenuProps) {
  // On the document: the key that opens the menu and the number may come before the focus is in it.
  useEffect(() => {
    if (!opened) return;
    const number = (event: KeyboardEvent): void => {
      if (!/^[1-9]$/.test(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return;
      const pick = picks[Number(event.key) - 1];
      if (!pick) return;
      event.preventDefault();
      event.stopPropagation();
      onChange(false);
      pick.run();
    };
    document.addEventListener('keydown', number, true);
    return () => document.removeEventListener('keydown', number, true);
  }, [opened, picks, onChange]);
  const choices = useRef<HTMLDivElement>(null);
  /** A menu holds choices alone: with a form below them, both are a group of the same name. */
  const grouped = (dropdown: HTMLDivElement | null): void => {
    if (!dropdown || !foot) return;
    dropdown.setAttribute('role', 'group');
    dropdown.removeAttribute('aria-orientation');
    const name = dropdown.getAttribute('aria-labelledby');
    if (name) choices.current?.setAttribute('aria-labelledby', name);
  };
  return (
    <Menu opened={opened} onChange={onChange} position="bottom-start" width={width} withinPortal>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown ref={grouped}>
        <div ref={choices} className={classes.choices} role={foot && picks.length > 0 ? 'menu' : undefined}>
          {picks.map((pick, at) => (
            <Menu.Item
              key={pick.key}
              data-autofocus={at === 0 || undefined}
              onClick={pick.run}
              rightSection={
                <span className={classes.right}>
                  {pick.beside}
                  {pick.chosen && <Check size={14} role="img" aria-label="chosen" />}
                  {at < NUMBERED && <kbd aria-hidden>{at + 1}</kbd>}
                </span>
              }
            >
              {pick.title}
            </Menu.Item>
          ))}
        </div>
        {foot}
      </Menu.Dropdown>
    </Menu>
  );
}
