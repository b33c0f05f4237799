// The frame of the screens before the desk: the mark, what this is, one form, and what to do where it cannot go on.
import { useEffect, type ReactNode } from 'react';
import { Logo } from '../../../../ui/shell/logo.tsx';
import classes from './gate-frame.module.css';

type GateFrameProps = { title: string; says?: ReactNode; foot?: ReactNode; children: ReactNode };

export function GateFrame({ title, says, foot, children }: GateFrameProps) {
  useEffect(() => {
    document.title = `${title} · Dunnock`;
  }, [title]);
  return (
    <main className={classes.gate} id="screen">
      <div className={classes.card}>
        <div className={classes.brand}>
          <Logo size={36} />
          <span>Dunnock</span>
        </div>
        <h1>{title}</h1>
        {says && <p className={classes.says}>{says}</p>}
        {children}
      </div>
      {foot && <p className={classes.foot}>{foot}</p>}
    </main>
  );
}
