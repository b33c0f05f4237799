// The menu of the signed-in person: account, light or dark, density, and signing out. It loads when it is first opened.
import { Menu } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { Check, LogOut, Monitor, Moon, Rows3, Rows4, Sun, UserRound } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useMe } from '../client/session.ts';
import { useLook } from './look.ts';
import { MeButton } from './me-button.tsx';
import { useSignOut } from './sign-out.ts';

const SCHEMES = [
  ['auto', 'Match system', Monitor],
  ['light', 'Light', Sun],
  ['dark', 'Dark', Moon],
] as const;

const DENSITIES = [
  ['comfortable', 'Comfortable', Rows3],
  ['compact', 'Compact', Rows4],
] as const;

export function UserMenu({ folded }: { folded: boolean }) {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  // This button is in the place of the one that was pressed: it takes over the focus, and has it back at the end.
  useEffect(() => {
    button.current?.focus();
    const frame = requestAnimationFrame(() => setOpen(true));
    return () => cancelAnimationFrame(frame);
  }, []);
  const { scheme, setScheme, density, setDensity } = useLook(useMe().principal.id);
  const signOut = useSignOut();
  return (
    <Menu opened={open} onChange={setOpen} position="top-start" width={216} returnFocus withinPortal={false}>
      <Menu.Target>
        <MeButton ref={button} folded={folded} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<UserRound size={15} />}
          onClick={() => void router.navigate({ to: '/settings/profile' })}
        >
          Your account
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Appearance</Menu.Label>
        {SCHEMES.map(([value, title, Icon]) => (
          <Menu.Item
            key={value}
            leftSection={<Icon size={15} />}
            rightSection={scheme === value && <Check size={14} aria-label="selected" />}
            onClick={() => setScheme(value)}
            closeMenuOnClick={false}
          >
            {title}
          </Menu.Item>
        ))}
        <Menu.Label>Density</Menu.Label>
        {DENSITIES.map(([value, title, Icon]) => (
          <Menu.Item
            key={value}
            leftSection={<Icon size={15} />}
            rightSection={density === value && <Check size={14} aria-label="selected" />}
            onClick={() => setDensity(value)}
            closeMenuOnClick={false}
          >
            {title}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<LogOut size={15} />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
