// Message box of the chat: Enter sends, Shift+Enter starts a new line. While a turn runs, it offers Stop and keeps the text.
import { Button, Textarea } from '@mantine/core';
import { CircleAlert, SendHorizontal, Square } from 'lucide-react';
import type { ApiError } from '../../../../ui/client/call.ts';
import { useAct } from '../../../../ui/client/hooks.ts';
import { ActButton } from '../../../../ui/kit/act-button.tsx';
import { KEPT } from '../../../../ui/kit/leave.ts';
import { NextStep } from './next-step.tsx';
import classes from './chat.module.css';

type ComposerProps = {
  thread_id: string | undefined;
  agent: string;
  runs: boolean;
  sending: boolean;
  refused: ApiError | null;
  text: string;
  write: (text: string) => void;
  send: (message: string) => void;
};

const RUNS = 'The agent is working. Wait for it to finish, or stop it.';

export function Composer({ thread_id, agent, runs, sending, refused, text, write, send }: ComposerProps) {
  const stop = useAct('chat_stop');
  const closed = runs ? RUNS : text.trim() === '' ? 'Write a message first.' : null;
  const go = (): void => {
    if (closed !== null || sending) return;
    write('');
    send(text.trim());
  };
  return (
    <div className={classes.foot}>
      <div role="alert">
        {refused && (
          <p className={classes.refused}>
            <CircleAlert size={15} aria-hidden />
            <span>
              {refused.sentence}
              <NextStep sentence={refused.sentence} />
            </span>
          </p>
        )}
      </div>
      <form
        className={classes.composer}
        aria-label="Message"
        onSubmit={(event) => {
          event.preventDefault();
          go();
        }}
      >
        <Textarea
          aria-label={`Message ${agent}`}
          {...KEPT}
          placeholder={`Message ${agent}`}
          className={classes.box ?? ''}
          variant="unstyled"
          autosize
          minRows={1}
          maxRows={10}
          maxLength={50_000}
          value={text}
          onChange={(event) => write(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            go();
          }}
        />
        {runs && thread_id !== undefined ? (
          <Button
            variant="default"
            leftSection={<Square size={13} />}
            loading={stop.isPending}
            onClick={() => stop.mutate({ thread_id })}
          >
            Stop
          </Button>
        ) : (
          <ActButton
            type="submit"
            closed={closed}
            loading={sending}
            leftSection={<SendHorizontal size={15} />}
          >
            Send
          </ActButton>
        )}
      </form>
      <p className={classes.keys}>Enter sends. Shift+Enter starts a new line.</p>
    </div>
  );
}
