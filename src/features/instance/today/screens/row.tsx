// One row of Today: title and age; opened, its content and actions.
import { Button, Textarea } from '@mantine/core';
import { ArrowRight } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { ActButton } from '../../../../ui/kit/act-button.tsx';
import { KeyHint } from '../../../../ui/kit/key-hint.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { TodayRow } from '../contract.ts';
import { actsOf, closedFor, type Doing } from './use-acts.ts';
import type { Shown } from './use-rows.ts';
import { WORDS } from './words.ts';
import classes from './today.module.css';
import { sends } from '../../../../ui/kit/writing-keys.ts';

type RowProps = {
  shown: Shown;
  open: boolean;
  /** What is being written to whoever gets it back; null: nothing. */
  note: string | null;
  press: () => void;
  go: () => void;
  act: (doing: Doing) => void;
  write: (note: string | null) => void;
  give: () => void;
};

export function Row({ shown, open, note, press, go, act, write, give }: RowProps) {
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
          {settled ? (
            <p className={classes.settled}>This was already handled, by someone else or automatically.</p>
          ) : note !== null ? (
            <Note row={row} note={note} write={write} give={give} />
          ) : (
            <Acts row={row} act={act} go={go} />
          )}
        </div>
      )}
    </li>
  );
}

function Acts({ row, act, go }: Pick<RowProps, 'act' | 'go'> & { row: TodayRow }) {
  return (
    <div className={classes.acts}>
      {actsOf(row).map(({ doing, key, title }, at) => {
        const closed = closedFor(row, doing);
        return (
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
      {!act.whole && <p className={classes.to}>… Open the letter to read the rest.</p>}
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
            ? `What’s missing? ${row.act.author} will read it.`
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
