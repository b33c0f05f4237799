// Foot of a conversation: reply, private note and call log, below the replies that are not sent yet.
import { Button, Textarea } from '@mantine/core';
import { Lock, PhoneCall, Reply } from 'lucide-react';
import { useRef, useState } from 'react';
import { useRead } from '../../../../../ui/client/hooks.ts';
import { useMe } from '../../../../../ui/client/session.ts';
import { KeyHint } from '../../../../../ui/kit/key-hint.tsx';
import { useKeys } from '../../../../../ui/kit/keys.ts';
import { AnswerBox, type Early } from './answer-box.tsx';
import type { ConversationProps } from '../conversation/conversation.tsx';
import { KEPT } from '../../../../../ui/kit/leave.ts';
import { leaves, sends } from '../../../../../ui/kit/writing-keys.ts';
import { onPhone } from '../../../../../ui/kit/phone.ts';
import { begunWords } from './begun.ts';
import { OnItsWay } from './on-its-way.tsx';
import { answersOf } from './use-answer.ts';
import { LogBox, NoteBox } from './write-down.tsx';
import classes from './composer.module.css';

const BY_MAIL = ['email', 'form'];

/** The same for every drawing, so that it is focused when it comes, and not again after it was left. */
const takeKeys = (field: HTMLElement | null): void => field?.focus({ preventScroll: true });

const NOT_EARLY: Early = { text: '', send: false, newest: null };

type Mode = 'answer' | 'note' | 'log';

export function Composer({ whole, read, acts, selecting, leave, onward, select }: ConversationProps) {
  const { thread } = whole;
  const me = useMe();
  const answers = useRead('answer_list', answersOf(thread.id)).data?.items ?? null;
  /** What was begun and is not saved is open again; where there is room for it. */
  const begunAs = (what: string): boolean => begunWords(me.principal.id, `${what}:${thread.id}`) !== '';
  const [mode, setMode] = useState<Mode | null>(() =>
    onPhone()
      ? null
      : begunAs('answer')
        ? 'answer'
        : begunAs('note')
          ? 'note'
          : begunAs('log')
            ? 'log'
            : null,
  );
  const drafts = answers?.filter(({ state }) => state === 'draft') ?? [];
  const mine = drafts.find(({ draft_by: by }) => by.kind === 'person' && by.id === me.principal.id) ?? null;
  const draft = mine ?? drafts[0] ?? null;
  // A draft that waits is shown, whoever wrote it, where there is room beside what they said.
  const [met, setMet] = useState<string | null>(null);
  /** How often someone asked to write, and gets the keys; none while they do not. */
  const [asked, setAsked] = useState(0);
  /** Typed before it was known whether a draft waits: no letter of it is lost, or taken for a key; `send`: nor is that it goes. */
  const [early, setEarly] = useState(NOT_EARLY);
  if (draft && draft.id !== met) {
    setMet(draft.id);
    if (mode === null && !onPhone()) setMode('answer');
  }
  // Sent, or thrown away: the next one is another, also where it is the same undone.
  if (!draft && met !== null) setMet(null);
  const foot = useRef<HTMLElement>(null);
  const from = useRef<Element | null>(null);
  const begin = (to: Mode): void => {
    from.current = document.activeElement;
    setAsked((before) => before + 1);
    setMode(to);
  };
  /** To where writing was begun from; where that is gone, or not in sight, to what is answered. */
  const back = (): void => {
    setAsked(0);
    const opener = from.current;
    const stands = opener instanceof HTMLElement && opener.checkVisibility() && opener !== document.body;
    const to =
      stands && !foot.current?.contains(opener)
        ? opener
        : foot.current?.parentElement?.querySelector<HTMLElement>('[data-conversation-scroll]');
    to?.focus({ preventScroll: true });
  };
  const newest =
    read.touches.findLast(({ direction, automatic }) => direction === 'in' && !automatic)?.id ?? null;
  const mail = BY_MAIL.includes(thread.channel) && newest !== null;
  const group = 'Conversation';
  useKeys(
    [
      { keys: 'r', does: 'Reply', group, run: () => mail && begin('answer') },
      { keys: 'n', does: 'Write private note', group, run: () => begin('note') },
      { keys: 'c', does: 'Log a call or message', group, run: () => begin('log') },
    ],
    !selecting,
  );
  const close = (): void => setMode(null);
  return (
    <footer className={classes.composer} ref={foot}>
      {answers && <OnItsWay thread={thread.id} answers={answers} />}
      {mode === 'answer' && answers !== null ? (
        <AnswerBox
          whole={whole}
          draft={draft}
          newest={newest}
          acts={acts}
          leave={leave}
          onward={onward}
          select={select}
          close={close}
          back={back}
          focus={asked}
          early={early}
          taken={() => setEarly(NOT_EARLY)}
        />
      ) : mode === 'answer' ? (
        <Textarea
          ref={takeKeys}
          aria-label="Your reply"
          {...KEPT}
          minRows={4}
          autosize
          value={early.text}
          onChange={(event) => setEarly({ ...NOT_EARLY, text: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (sends(event)) setEarly({ ...early, send: true, newest });
            if (leaves(event)) back();
          }}
        />
      ) : mode === 'note' ? (
        <NoteBox thread={thread.id} close={close} back={back} focus={asked} />
      ) : mode === 'log' ? (
        <LogBox thread={thread.id} close={close} back={back} focus={asked} />
      ) : (
        <div className={classes.begin}>
          {mail && (
            <Button
              leftSection={<Reply size={15} />}
              rightSection={<KeyHint keys="r" />}
              variant={thread.waiting === 'us' ? 'filled' : 'default'}
              data-draft={draft !== null || undefined}
              onClick={() => begin('answer')}
            >
              {draft || begunAs('answer') ? 'Continue draft' : 'Reply'}
            </Button>
          )}
          <Button
            leftSection={<Lock size={14} />}
            rightSection={<KeyHint keys="n" />}
            variant="subtle"
            color="gray"
            onClick={() => begin('note')}
          >
            {begunAs('note') ? 'Continue note' : 'Private note'}
          </Button>
          <Button
            leftSection={<PhoneCall size={14} />}
            rightSection={<KeyHint keys="c" />}
            variant="subtle"
            color="gray"
            onClick={() => begin('log')}
          >
            Log a call
          </Button>
        </div>
      )}
    </footer>
  );
}
