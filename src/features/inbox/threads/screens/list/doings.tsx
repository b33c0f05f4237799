// Bars at the foot of the screen for recent actions, with Undo.
import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { KeyHint } from '../../../../../ui/kit/key-hint.tsx';
import { useKeys } from '../../../../../ui/kit/keys.ts';
import type { Doing, ThreadActs } from '../conversation/use-acts.ts';
import classes from './doings.module.css';

export function Doings({ acts }: { acts: ThreadActs }) {
  useKeys(
    [{ keys: 'z', does: 'Undo last action', group: 'Inbox', run: acts.undoLast }],
    acts.doings.length > 0,
  );
  return (
    <div className={classes.doings} role="status">
      {acts.doings.map((doing, at) => (
        <Bar
          key={doing.key}
          doing={doing}
          last={at === acts.doings.length - 1}
          drop={() => acts.drop(doing.key)}
        />
      ))}
    </div>
  );
}

function Bar({ doing, last, drop }: { doing: Doing; last: boolean; drop: () => void }) {
  const [left, setLeft] = useState(() => secondsUntil(doing.until));
  useEffect(() => {
    const tick = setInterval(() => setLeft(secondsUntil(doing.until)), 250);
    const end = setTimeout(drop, Math.max(0, doing.until - performance.now()));
    return () => {
      clearInterval(tick);
      clearTimeout(end);
    };
    // `drop` is made again with each rendering and always means this one.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [doing.key, doing.until]);
  return (
    <div className={classes.bar}>
      <span>
        {doing.says}
        {doing.counts && <span aria-hidden> in {left} s</span>}
      </span>
      <Button
        size="compact-sm"
        variant="default"
        rightSection={last && <KeyHint keys="z" />}
        onClick={() => {
          drop();
          void doing.undo();
        }}
      >
        Undo
      </Button>
    </div>
  );
}

const secondsUntil = (until: number): number => Math.max(0, Math.ceil((until - performance.now()) / 1000));
