// Small marks with meaning: a state in a tone, the six statuses of the board, the five priorities, labels.
import {
  Circle,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CircleEllipsis,
  CircleX,
  Minus,
  OctagonAlert,
  SignalHigh,
  SignalLow,
  SignalMedium,
  type LucideIcon,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { Takes } from '../client/call.ts';
import classes from './pills.module.css';

export type Tone = 'good' | 'warn' | 'bad' | 'agent' | 'service' | 'info' | 'mute';
export type Status = Takes<'item_move'>['status'];
export type Priority = NonNullable<Takes<'item_create'>['priority']>;

export const Pill = ({
  tone = 'mute',
  children,
  title,
}: {
  tone?: Tone;
  children: ReactNode;
  title?: string;
}) => (
  <span className={classes.pill} data-tone={tone} title={title}>
    {children}
  </span>
);

export const STATUS: Record<Status, { title: string; tone: Tone; icon: LucideIcon }> = {
  backlog: { title: 'Backlog', tone: 'mute', icon: CircleDashed },
  todo: { title: 'To do', tone: 'mute', icon: Circle },
  in_progress: { title: 'In progress', tone: 'info', icon: CircleDot },
  in_review: { title: 'In review', tone: 'warn', icon: CircleEllipsis },
  done: { title: 'Done', tone: 'good', icon: CircleCheck },
  cancelled: { title: 'Cancelled', tone: 'mute', icon: CircleX },
};

export const STATUSES = Object.keys(STATUS) as Status[];

export function StatusMark({ status, size = 15 }: { status: Status; size?: number }) {
  const { icon: Icon, tone, title } = STATUS[status];
  return (
    <Icon
      size={size}
      strokeWidth={2}
      style={{ color: `var(--${tone})`, flex: 'none' }}
      role="img"
      aria-label={title}
    />
  );
}

/** `title` where a project has renamed the column. */
export const StatusPill = ({ status, title }: { status: Status; title?: string }) => (
  <span className={classes.status}>
    <StatusMark status={status} />
    {title ?? STATUS[status].title}
  </span>
);

export const PRIORITY: Record<Priority, { title: string; tone: Tone; icon: LucideIcon }> = {
  none: { title: 'No priority', tone: 'mute', icon: Minus },
  low: { title: 'Low', tone: 'mute', icon: SignalLow },
  medium: { title: 'Medium', tone: 'mute', icon: SignalMedium },
  high: { title: 'High', tone: 'warn', icon: SignalHigh },
  urgent: { title: 'Urgent', tone: 'bad', icon: OctagonAlert },
};

export const PRIORITIES = Object.keys(PRIORITY) as Priority[];

export function PriorityMark({ priority, size = 15 }: { priority: Priority; size?: number }) {
  const { icon: Icon, tone, title } = PRIORITY[priority];
  return (
    <Icon
      size={size}
      strokeWidth={2.25}
      style={{ color: `var(--${tone})`, flex: 'none' }}
      role="img"
      aria-label={`Priority: ${title}`}
    />
  );
}

const HUES = [12, 40, 90, 150, 190, 225, 265, 320];

/** A label keeps its colour wherever it exists: the dot's hue is drawn from its letters. */
export function Label({ children }: { children: string }) {
  let sum = 0;
  for (const char of children) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % 9973;
  return (
    <span className={classes.label}>
      <span
        aria-hidden
        className={classes.dot}
        style={{ background: `oklch(62% 0.13 ${HUES[sum % HUES.length]})` }}
      />
      {children}
    </span>
  );
}

export const Count = ({ children, tone }: { children: ReactNode; tone?: Tone }) => (
  <span className={classes.count} data-tone={tone ?? 'mute'}>
    {children}
  </span>
);
