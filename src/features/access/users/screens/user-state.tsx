// The state of a user as a pill.
import { Pill, type Tone } from '../../../../ui/kit/pills.tsx';
import type { User } from '../contract.ts';

const STATE: Record<User['state'], { title: string; tone: Tone }> = {
  active: { title: 'Active', tone: 'good' },
  invited: { title: 'Invited', tone: 'warn' },
  disabled: { title: 'Disabled', tone: 'mute' },
};

export const StatePill = ({ state }: { state: User['state'] }) => (
  <Pill tone={STATE[state].tone}>{STATE[state].title}</Pill>
);
