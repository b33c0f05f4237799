// What a screen shows in place of content: empty (with what to do), a refusal with its sentence, a failure with a retry, and a
// skeleton while loading.
import { Button } from '@mantine/core';
import { CloudOff, Lock, TriangleAlert, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ApiError } from '../client/call.ts';
import { useRefusal } from './page.tsx';
import classes from './states.module.css';

type StateProps = {
  icon?: LucideIcon;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  /** It is the whole page, so its title is the page's heading. */
  page?: boolean;
};

function State({ icon: Icon, title, children, action, role, page }: StateProps & { role?: 'alert' }) {
  return (
    <div className={classes.state} role={role}>
      {Icon && (
        <span className={classes.icon} aria-hidden>
          <Icon size={20} strokeWidth={1.75} />
        </span>
      )}
      {page ? <h1>{title}</h1> : <h2>{title}</h2>}
      {children && <div className={classes.text}>{children}</div>}
      {action && <div className={classes.action}>{action}</div>}
    </div>
  );
}

/** Nothing here: says what would be here and what to do about it. */
export const Empty = (props: StateProps) => <State {...props} />;

const Away = () => (
  <Button component="a" href="/" variant="default">
    Go to Today
  </Button>
);

/** Alone on a screen a refusal is as any sentence does. */
const whole = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;

/** An answer that was no: the product's own sentence, and again where again can help. */
export function Trouble({
  error,
  again,
  page = false,
  subject = false,
}: {
  error: ApiError;
  again?: () => void;
  /** It is the whole page. */
  page?: boolean;
  /** It represents what the page is of: where that is refused, the page offers nothing to do with it. */
  subject?: boolean;
}) {
  useRefusal(subject && error.status === 403);
  const retry = again && (
    <Button variant="default" onClick={again}>
      Try again
    </Button>
  );
  if (error.status === 403)
    return (
      <State page={page} role="alert" icon={Lock} title="You don’t have access" action={page && <Away />}>
        {whole(error.sentence)}
      </State>
    );
  if (error.status === 404)
    return (
      <State page={page} role="alert" icon={TriangleAlert} title="Nothing here" action={page && <Away />}>
        {whole(error.sentence)} It may have been deleted, or you may not have access.
      </State>
    );
  if (error.status === 0)
    return (
      <State page={page} role="alert" icon={CloudOff} title="No connection" action={retry}>
        {whole(error.sentence)}
      </State>
    );
  return (
    <State page={page} role="alert" icon={TriangleAlert} title="Couldn’t load this" action={retry}>
      {whole(error.sentence)}
    </State>
  );
}

/** Grey bars in place of lines; hidden from readers, which hear "Loading" once. */
export function Bones({ lines = 3, height = 14 }: { lines?: number; height?: number }) {
  return (
    <div className={classes.bones}>
      <span className="unseen" role="status">
        Loading
      </span>
      {Array.from({ length: lines }, (_, i) => (
        <span
          key={i}
          aria-hidden
          className={classes.bone}
          style={{ height, width: `${[92, 78, 85, 64, 88][i % 5]}%` }}
        />
      ))}
    </div>
  );
}

export const Bone = ({ width, height = 12 }: { width: string; height?: number }) => (
  <span aria-hidden className={classes.bone} style={{ width, height }} />
);
