// A drawer at the right for one record of a list: the whole width on a phone, the list stays in sight on a desk.
import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTopmost } from './topmost.ts';
import classes from './detail-drawer.module.css';

export function DetailDrawer({
  title,
  opened,
  onClose,
  children,
  size = 480,
}: {
  title: ReactNode;
  opened: boolean;
  onClose: () => void;
  children: ReactNode;
  size?: number;
}) {
  const topmost = useTopmost(opened);
  return (
    <Drawer
      opened={opened}
      closeOnEscape={topmost}
      onClose={onClose}
      title={title}
      position="right"
      size={`min(${size}px, 100vw)`}
      classNames={{ title: classes.title ?? '' }}
    >
      {children}
    </Drawer>
  );
}

/** Names and values, one under the other. */
export function Facts({ of }: { of: [name: string, value: ReactNode][] }) {
  return (
    <dl className={classes.facts}>
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
