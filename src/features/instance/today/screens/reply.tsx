// What someone who said yes wrote, and a reply to it, written and sent on Today with the draft and the checks of the inbox.
import { Button, Textarea } from '@mantine/core';
import { Send } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { Answer } from '../../../../ui/client/call.ts';
import { useRead } from '../../../../ui/client/hooks.ts';
import { ActButton } from '../../../../ui/kit/act-button.tsx';
import { KeyHint } from '../../../../ui/kit/key-hint.tsx';
import { Bones } from '../../../../ui/kit/states.tsx';
import { leaves, sends } from '../../../../ui/kit/writing-keys.ts';
import { answersOf, useAnswer } from '../../../inbox/threads/screens/shared.ts';
import classes from './today.module.css';

export type SentAnswer = Answer<'answer_send'>['answer'];

type ReplyProps = {
  thread: string;
  writing: boolean;
  answered: (sent: SentAnswer) => void;
  leave: () => void;
};

export function Reply({ thread, writing, answered, leave }: ReplyProps) {
  const read = useRead('thread_get', { thread, limit: 20 });
  const drafts = useRead('answer_list', answersOf(thread), { enabled: writing });
  const said = read.data?.touches.findLast(({ direction, automatic }) => direction === 'in' && !automatic);
  if (read.error) return null;
  if (!read.data) return <Bones lines={2} />;
  return (
    <>
      {said && (
        <article className={classes.letter} aria-label="Their message">
          <p className={classes.text}>{said.text}</p>
        </article>
      )}
      {writing && drafts.data && (
        <Writing
          thread={thread}
          draft={drafts.data.items.find(({ state }) => state === 'draft') ?? null}
          newest={said?.id ?? null}
          answered={answered}
          leave={leave}
        />
      )}
    </>
  );
}

type WritingProps = Omit<ReplyProps, 'writing'> & {
  draft: Answer<'answer_list'>['items'][number] | null;
  newest: string | null;
};

function Writing({ thread, draft, newest, answered, leave }: WritingProps) {
  const reply = useAnswer(thread, draft, newest);
  const { words, kept, trouble, wroteAgain } = reply;
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const closed =
    words.text.trim() === ''
      ? 'Write a reply first.'
      : wroteAgain
        ? 'They’ve written again. Open the conversation to read their message.'
        : (kept?.why_not ?? null);
  const send = async (): Promise<void> => {
    if (closed !== null || reply.state === 'sending') return;
    const sent = await reply.send();
    if (sent) answered(sent);
  };
  return (
    <div className={classes.note}>
      <Textarea
        ref={field}
        aria-label="Your reply"
        placeholder="Write your reply"
        autosize
        minRows={3}
        maxRows={12}
        maxLength={100_000}
        value={words.text}
        onChange={(event) => reply.set({ text: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (leaves(event)) {
            event.stopPropagation();
            leave();
          }
          if (sends(event)) void send();
        }}
      />
      {trouble && (
        <p role="alert" className={classes.trouble}>
          {trouble.sentence}
        </p>
      )}
      <div className={classes.acts}>
        <ActButton
          size="xs"
          closed={closed}
          loading={reply.state === 'sending'}
          leftSection={<Send size={13} aria-hidden />}
          rightSection={closed === null ? <KeyHint keys="mod+Enter" /> : undefined}
          onClick={() => void send()}
        >
          Send reply
        </ActButton>
        <Button size="xs" variant="default" onClick={leave}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
