// The navigation as a drawer, on a phone.
import { Drawer } from '@mantine/core';
import { useTopmost } from '../kit/topmost.ts';
import { Nav } from './nav.tsx';

export function NavDrawer({
  opened,
  onClose,
  search,
  keys,
}: {
  opened: boolean;
  onClose: () => void;
  search: () => void;
  keys: () => void;
}) {
  const topmost = useTopmost(opened);
  return (
    <Drawer
      opened={opened}
      closeOnEscape={topmost}
      onClose={onClose}
      size={268}
      padding={0}
      withCloseButton={false}
      attributes={{ content: { 'aria-label': 'Navigation' } }}
      styles={{ body: { height: '100dvh' }, content: { background: 'var(--ground)' } }}
    >
      <Nav folded={false} search={search} keys={keys} />
    </Drawer>
  );
}
