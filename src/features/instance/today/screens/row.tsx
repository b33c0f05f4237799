// One row of Today: title and age; opened, its content and actions.
import { Button, Textarea } from '@mantine/core';
import { ArrowRight } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { ActButton } from '../../../../ui/kit/act-button.tsx';
import { KeyHint } from '../../../../ui/kit/key-hint.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { TodayRow } from '../contract.ts';
import { Reply, type SentAnswer } from './reply.tsx';
import { actsOf, closedFor, type Doing } from './use-acts.ts';
import type { Shown } from './use-rows.ts';
import { WORDS } from './words.ts';
import classes from './today.module.css';
import { sends } from '../../../../ui/kit/writing-keys.ts';

const SnoozeMenu = lazy(() => import('./snooze-menu.tsx').then((m) => ({ default: m.SnoozeMenu })));

type RowProps = {
  shown: Shown;
  open: boolean;
  /** What is being written to whoever gets it back; null: nothing. */
  note: string | null;
  press: () => void;
  go: () => void;
  act: (doing: Doing) => void;
  /** Which of its acts asks for more: an answer is written, or a time is chosen. */
  asking: 'answer' | 'snooze' | null;
  snooze: (until: Date) => void;
  answered: (sent: SentAnswer) => void;
  leave: () => void;
  write: (note: string | null) => void;
  give: () => void;
};

export function Row({ shown, open, note, asking, press, go, act, write, give, ...more }: RowProps) {
  const { row, section, settled } = shown;
  const { icon: Icon, tone } = WORDS[section];
  const id = `today-${row.key}`;
  return (
    <li className={classes.row} data-open={open || undefined} data-settled={settled || undefined}>
      <button type="button" className={classes.head} data-key={row.key} aria-expanded={open} onClick={press}>
        <span className={classes.mark} data-tone={tone} aria-hidden>
          <Icon size={15} strokeWidth={1.9} />
        </span>
        <span className={classes.words}>
          <span className={classes.title}>
            <bdi>{row.title}</bdi>
          </span>
          <span className={classes.says} id={id}>
            {row.says}
          </span>
        </span>
        <span className={classes.at}>
          <Time at={row.until ?? row.since} none="" />
        </span>
      </button>
      {open && (
        <div className={classes.opened}>
          {row.act?.kind === 'letter' && <Letter act={row.act} />}
          {row.act?.kind === 'thread' && !settled && (
            <Reply
              thread={row.id}
              writing={asking === 'answer'}
              answered={more.answered}
              leave={more.leave}
            />
          )}
          {settled ? (
            <p className={classes.settled}>Already handled, by someone else or automatically.</p>
          ) : note !== null ? (
            <Note row={row} note={note} write={write} give={give} />
          ) : asking === 'answer' ? null : (
            <Acts row={row} act={act} go={go} snoozing={asking === 'snooze'} {...more} />
          )}
        </div>
      )}
    </li>
  );
}

type ActsProps = Pick<RowProps, 'act' | 'go' | 'snooze' | 'leave'> & { row: TodayRow; snoozing: boolean };

function Acts({ row, act, go, snoozing, snooze, leave }: ActsProps) {
  return (
    <div className={classes.acts}>
      {actsOf(row).map(({ doing, key, title }, at) => {
        const closed = closedFor(row, doing);
        const button = (
          <ActButton
            key={doing}
            size="xs"
            closed={closed}
            {...(at === 0 ? {} : { variant: 'default' })}
            rightSection={closed === null ? <KeyHint keys={key} /> : undefined}
            onClick={() => act(doing)}
          >
            {title}
          </ActButton>
        );
        if (doing !== 'snooze' || !snoozing) return button;
        return (
          <Suspense key={doing} fallback={button}>
            <SnoozeMenu choose={snooze} leave={leave}>
              {button}
            </SnoozeMenu>
          </Suspense>
        );
      })}
      <Button
        size="xs"
        variant={row.act === null ? 'default' : 'subtle'}
        color="gray"
        rightSection={<ArrowRight size={13} aria-hidden />}
        onClick={go}
      >
        Open
      </Button>
    </div>
  );
}

function Letter({ act }: { act: Extract<NonNullable<TodayRow['act']>, { kind: 'letter' }> }) {
  return (
    <article className={classes.letter} aria-label={`Letter to ${act.to}`}>
      <p className={classes.to}>
        To {act.to} · <strong>{act.subject}</strong>
      </p>
      <p className={classes.text}>{act.text}</p>
      {!act.whole && <p className={classes.to}>… Open the letter to read all of it.</p>}
    </article>
  );
}

function Note({
  row,
  note,
  write,
  give,
}: Pick<RowProps, 'write' | 'give'> & { row: TodayRow; note: string }) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const closed = note.trim() === '' ? 'Enter a note first.' : null;
  return (
    <div className={classes.note}>
      <Textarea
        ref={field}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={2_000}
        label={
          row.act?.kind === 'approval'
            ? `What’s missing? ${row.act.author} will see this note.`
            : 'What should change?'
        }
        value={note}
        onChange={(event) => write(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.stopPropagation();
            write(null);
          }
          if (sends(event) && closed === null) give();
        }}
      />
      <div className={classes.acts}>
        <ActButton size="xs" closed={closed} rightSection={<KeyHint keys="mod+Enter" />} onClick={give}>
          Return
        </ActButton>
        <Button size="xs" variant="default" onClick={() => write(null)}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
