// A reply that was sent on Today, for as long as it can be undone.
import { Button } from '@mantine/core';
import { useEffect, useEffectEvent } from 'react';
import { ApiError, call } from '../../../../ui/client/call.ts';
import { tellRefusal } from '../../../../ui/client/toast.ts';
import { staleAfter } from '../../../../ui/client/topics.ts';
import type { SentAnswer } from './reply.tsx';
import classes from './today.module.css';

type SendingProps = { thread: string; answer: SentAnswer; over: () => void; undone: () => void };

export function Sending({ thread, answer, over, undone }: SendingProps) {
  const ends = useEffectEvent(over);
  // By the product’s clock alone: this machine’s may be another.
  const left = answer.goes_at ? Date.parse(answer.goes_at) - Date.parse(answer.updated_at) : 0;
  useEffect(() => {
    const timer = setTimeout(() => ends(), Math.max(left, 0));
    return () => clearTimeout(timer);
  }, [left]);
  const undo = async (): Promise<void> => {
    over();
    try {
      await call('answer_take_back', { thread, answer: answer.id });
      undone();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      tellRefusal(error);
    }
    await staleAfter('answer_take_back', ['sends']);
  };
  if (left <= 0) return null;
  return (
    <p role="status" className={classes.sending}>
      <span>Sending reply to {answer.recipients[0]?.address ?? 'them'}</span>
      <Button size="compact-xs" variant="default" onClick={() => void undo()}>
        Undo
      </Button>
    </p>
  );
}
