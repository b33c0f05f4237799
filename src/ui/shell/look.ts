// Light or dark, and row density: each person’s choice in this browser. The page starts with the values under the plain keys
// (public/scheme.js), before it knows who is signed in.
import { useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { useEffect, useState } from 'react';

export type Density = 'comfortable' | 'compact';
type Look = { scheme: MantineColorScheme; density: Density };

const DENSITY = 'dunnock-density';
const ownKey = (user: string): string => `dunnock-look-${user}`;

function ownLook(user: string): Partial<Look> {
  try {
    return JSON.parse(localStorage.getItem(ownKey(user)) ?? '{}') as Partial<Look>;
  } catch {
    return {};
  }
}

function keep(user: string, part: Partial<Look>): void {
  try {
    localStorage.setItem(ownKey(user), JSON.stringify({ ...ownLook(user), ...part }));
    if (part.density) localStorage.setItem(DENSITY, part.density);
  } catch {
    // Refused in some private windows: the choice holds until the page is closed.
  }
}

const shownDensity = (): Density =>
  document.documentElement.dataset['density'] === 'compact' ? 'compact' : 'comfortable';

function show(density: Density): void {
  document.documentElement.setAttribute('data-density', density);
}

export function useLook(user: string) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [density, set] = useState(shownDensity);
  return {
    scheme: colorScheme,
    density,
    setScheme: (scheme: MantineColorScheme): void => {
      setColorScheme(scheme);
      keep(user, { scheme });
    },
    setDensity: (next: Density): void => {
      set(next);
      show(next);
      keep(user, { density: next });
    },
  };
}

/** Whoever signs in finds what they chose, whoever sat there before. */
export function useOwnLook(user: string): void {
  const { setColorScheme } = useMantineColorScheme();
  useEffect(() => {
    const { scheme, density } = ownLook(user);
    if (scheme) setColorScheme(scheme);
    if (density) {
      show(density);
      keep(user, { density });
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for whoever it is, not for each change they make
  }, [user]);
}
