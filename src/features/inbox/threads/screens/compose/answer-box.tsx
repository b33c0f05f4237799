// Reply form: recipients, text, saved replies and files. Sending can be undone for ten seconds.
import { Button, CloseButton, Textarea, TextInput } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { ApiError, call } from '../../../../../ui/client/call.ts';
import { tellRefusal } from '../../../../../ui/client/toast.ts';
import { AttachedList, type Upload, useAttaching } from '../../../../../ui/kit/attachments.tsx';
import { MailFrame } from '../../../../../ui/kit/mail-frame.tsx';
import { Principal } from '../../../../../ui/kit/principal.tsx';
import type { Answer } from '../../../answers/contract.ts';
import { AnswerEnd, type How } from './answer-end.tsx';
import { Below } from './below.tsx';
import { KEPT } from '../../../../../ui/kit/leave.ts';
import { leaves, puts, sends } from '../../../../../ui/kit/writing-keys.ts';
import { inZone, useZone } from '../conversation/later-menu.tsx';
import type { ThreadActs } from '../conversation/use-acts.ts';
import { wayBack } from './taken-back.ts';
import { useAnswer } from './use-answer.ts';
import type { Conversation } from '../conversation/use-conversation.ts';
import classes from './composer.module.css';

/** What was typed before this was here, whether it was to be sent, and what of theirs was last on the screen then. */
export type Early = { text: string; send: boolean; newest: string | null };

type AnswerBoxProps = {
  whole: Conversation;
  draft: Answer | null;
  /** What of theirs is last on the screen. */
  newest: string | null;
  acts: ThreadActs;
  /** To the next conversation, where this one leaves the list; `onward`: also where it was answered and stays. */
  leave: () => void;
  onward: () => void;
  select: (id: string) => void;
  close: () => void;
  /** To what the answer was begun from. */
  back: () => void;
  /** How often someone asked to write; a draft that only waits leaves the keys to the list. */
  focus: number;
  early: Early;
  taken: () => void;
};

export function AnswerBox({
  whole,
  draft,
  newest,
  acts,
  leave,
  onward,
  select,
  close,
  back,
  focus,
  early,
  taken,
}: AnswerBoxProps) {
  const { thread } = whole;
  const writing = useAnswer(thread.id, draft, newest);
  const { words, kept, wroteAgain, trouble, theirs } = writing;
  const field = useRef<HTMLTextAreaElement>(null);
  const [copies, setCopies] = useState(words.cc !== '');
  const [plain, setPlain] = useState(false);
  const [later, setLater] = useState(false);
  const zone = useZone();
  const formatted = kept !== null && kept.html !== null && !plain;
  useEffect(() => {
    const input = field.current;
    if (focus === 0 || !input) return;
    input.focus({ preventScroll: true });
    input.setSelectionRange(input.value.length, input.value.length);
  }, [focus]);

  const here = useRef(false);
  useEffect(() => {
    here.current = true;
    return () => void (here.current = false);
  }, []);
  const go = async ({ close: closes = false, at }: How = {}): Promise<void> => {
    const answer = await writing.send(at?.toISOString());
    if (!answer) return;
    close();
    // Whoever went on to another conversation meanwhile stays there.
    if (here.current) (closes ? leave : onward)();
    if (closes) await acts.settle([thread], { state: 'closed' }, true);
    const goes = answer.goes_at ? Date.parse(answer.goes_at) - Date.parse(answer.updated_at) : 0;
    // By the product's clock alone: this machine's may be another.
    if (goes <= 0) return;
    const undone = async (): Promise<void> => {
      if (closes) await acts.settle([thread], { state: thread.state === 'closed' ? 'closed' : 'open' }, true);
      select(thread.id);
    };
    acts.offer(wayBack({ thread: thread.id, answer, undone }, goes, at ? inZone(zone).format(at) : null));
  };
  const take = useEffectEvent(() => {
    if (early.text === '') return;
    writing.set({ text: words.text + early.text });
    taken();
    // It waits where a draft is that no one saw, or they wrote meanwhile: what goes is what was read.
    if (early.send && draft === null && early.newest === newest && early.text.trim() !== '') void go();
  });
  useEffect(() => take(), []);

  const sending = writing.state === 'sending';
  const closed =
    words.text.trim() === '' ? 'Write a reply first.' : wroteAgain ? WROTE : (kept?.why_not ?? null);
  const send = (how?: How): void => {
    if (closed === null && !sending) void go(how);
  };
  const insert = (text: string): void => {
    const { selectionStart = words.text.length, selectionEnd = words.text.length } = field.current ?? {};
    writing.set({ text: words.text.slice(0, selectionStart) + text + words.text.slice(selectionEnd) });
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(selectionStart + text.length, selectionStart + text.length);
    });
  };
  const carried = {
    files: words.files,
    change: (files: typeof words.files) => writing.set({ files }),
  };
  const attaching = useAttaching({ ...carried, upload: (file) => uploaded(thread.id, file) });
  const from = kept && kept.draft_by.kind !== 'person' ? kept.draft_by : null;
  return (
    <section
      className={classes.answer}
      aria-label="Reply"
      onPaste={(event) => {
        const { files } = event.clipboardData;
        if (files.length === 0) return;
        event.preventDefault();
        void attaching.add([...files]);
      }}
      onDragOver={(event) => {
        if (event.dataTransfer.types.includes('Files')) event.preventDefault();
      }}
      onDrop={(event) => {
        const { files } = event.dataTransfer;
        if (files.length === 0) return;
        event.preventDefault();
        void attaching.add([...files]);
      }}
    >
      <div className={classes.to}>
        <span className={classes.whom}>
          To{' '}
          {kept ? (
            kept.recipients.map(({ as, address, in_thread }) => (
              <span key={address} data-outside={!in_thread || undefined}>
                <bdi>{address}</bdi>
                {as === 'cc' && ' (Cc)'}
                {!in_thread && ', new to this conversation'}
              </span>
            ))
          ) : (
            <span>{thread.person_name ?? 'the last sender'}</span>
          )}
        </span>
        {from && (
          <span className={classes.by}>
            Drafted by <Principal of={from} behalf={from.on_behalf_of ?? null} size={16} />
          </span>
        )}
        <span className={classes.spring} />
        {!copies && (
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => setCopies(true)}>
            Cc
          </Button>
        )}
        <CloseButton size="sm" aria-label="Close reply and keep the draft" onClick={close} />
      </div>
      {copies && (
        <TextInput
          size="xs"
          aria-label="Cc"
          placeholder="Cc addresses, separated by commas"
          value={words.cc}
          onChange={(event) => writing.set({ cc: event.currentTarget.value })}
          onKeyDown={(event) => leaves(event) && back()}
        />
      )}
      {formatted ? (
        <div className={classes.formatted}>
          <MailFrame html={kept.letter.html ?? kept.html ?? ''} title="Formatted draft" />
          <Button size="compact-sm" variant="subtle" color="gray" onClick={() => setPlain(true)}>
            Edit as plain text
          </Button>
        </div>
      ) : (
        <Textarea
          ref={field}
          aria-label="Your reply"
          {...KEPT}
          placeholder="Write your reply"
          autosize
          minRows={4}
          maxRows={14}
          maxLength={100_000}
          value={words.text}
          onChange={(event) => writing.set({ text: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (sends(event)) send({ close: event.shiftKey });
            if (puts(event) && closed === null) {
              event.preventDefault();
              event.currentTarget.blur();
              setLater(true);
            }
            if (leaves(event)) back();
          }}
        />
      )}
      <Below kept={kept} formatted={formatted} quote={words.quote} set={writing.set} />
      <AttachedList {...carried} href={({ id }) => `/api/threads/${thread.id}/attachments/${id}`} />
      {wroteAgain && (
        <p className={classes.notice} role="alert">
          <TriangleAlert size={15} aria-hidden />
          <span>
            {WROTE} Your draft is saved.{' '}
            <button type="button" onClick={() => void writing.readIt()}>
              I’ve read it
            </button>
          </span>
        </p>
      )}
      {theirs ? (
        <p className={classes.notice} role="alert">
          <TriangleAlert size={15} aria-hidden />
          <span>
            Someone else edited this draft.{' '}
            <button type="button" onClick={writing.takeTheirs}>
              Load their version
            </button>
          </span>
        </p>
      ) : (
        (trouble ?? kept?.why_not) && (
          <p className={classes.notice} role="alert">
            <TriangleAlert size={15} aria-hidden />
            <span>{trouble?.sentence ?? kept?.why_not}</span>
          </p>
        )
      )}
      <AnswerEnd
        writing={writing}
        closed={closed}
        person={thread.person_id}
        send={send}
        later={later}
        setLater={setLater}
        insert={insert}
        attaching={attaching}
        discard={() => void writing.discard().then(close)}
      />
    </section>
  );
}

const WROTE = 'A new message arrived. Read it before you send.';

/** The files of an answer are its conversation's: they come up before the first words of it are kept. */
async function uploaded(thread: string, file: Upload): Promise<Answer['attachments'][number] | null> {
  try {
    return (await call('answer_attach', { thread, ...file })).attachment;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    tellRefusal(error);
    return null;
  }
}
