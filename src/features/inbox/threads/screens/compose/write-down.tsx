// Forms for a private note and for a logged call or message. Neither sends anything.
import { Button, NativeSelect, Textarea } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useAct } from '../../../../../ui/client/hooks.ts';
import { useMe } from '../../../../../ui/client/session.ts';
import { KEPT } from '../../../../../ui/kit/leave.ts';
import { leaves, sends } from '../../../../../ui/kit/writing-keys.ts';
import { READING, READINGS_LISTED, type Reading } from '../conversation/words.ts';
import { begunWords, keepBegun } from './begun.ts';
import classes from './composer.module.css';

type BoxProps = {
  thread: string;
  close: () => void;
  /** To what it was begun from. */
  back: () => void;
  /** How often someone asked to write. */
  focus: number;
};

const MOST = 20_000;

function useWords(
  key: string,
  act: (text: string) => Promise<unknown>,
  { close, back, focus }: Omit<BoxProps, 'thread'>,
) {
  const user = useMe().principal.id;
  const [text, setText] = useState(() => begunWords(user, key));
  const keeping = useRef(false);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (focus > 0) field.current?.focus({ preventScroll: true });
  }, [focus]);
  const keep = async (): Promise<void> => {
    // Two presses in one breath are one wish.
    if (text.trim() === '' || keeping.current) return;
    keeping.current = true;
    await act(text.trim()).then(
      () => {
        keepBegun(user, key, '');
        close();
      },
      () => undefined,
    );
    keeping.current = false;
  };
  return {
    empty: text.trim() === '',
    keep,
    discard: () => {
      keepBegun(user, key, '');
      close();
    },
    field: {
      ...KEPT,
      ref: field,
      autosize: true,
      minRows: 3,
      maxRows: 12,
      maxLength: MOST,
      value: text,
      onChange: (event: React.ChangeEvent<HTMLTextAreaElement>) => {
        keepBegun(user, key, event.currentTarget.value);
        setText(event.currentTarget.value);
      },
      onKeyDown: (event: React.KeyboardEvent<HTMLTextAreaElement>) => {
        if (sends(event)) void keep();
        if (!leaves(event)) return;
        back();
        if (text.trim() === '') close();
      },
    },
  };
}

export function NoteBox({ thread, ...box }: BoxProps) {
  const write = useAct('touch_create');
  const words = useWords(`note:${thread}`, (text) => write.mutateAsync({ thread, text, note: true }), box);
  return (
    <section className={classes.answer} data-note aria-label="Private note">
      <Textarea aria-label="Private note" placeholder="Visible only to your team" {...words.field} />
      <div className={classes.end}>
        <Button loading={write.isPending} disabled={words.empty} onClick={() => void words.keep()}>
          Save note
        </Button>
        <Button variant="subtle" color="gray" onClick={words.discard}>
          {words.empty ? 'Cancel' : 'Discard'}
        </Button>
      </div>
    </section>
  );
}

const WAYS = [
  { value: 'call', label: 'Call' },
  { value: 'linkedin', label: 'LinkedIn message' },
  { value: 'sms', label: 'Text message' },
] as const;

export function LogBox({ thread, ...box }: BoxProps) {
  const [way, setWay] = useState<(typeof WAYS)[number]['value']>('call');
  const [theirs, setTheirs] = useState(true);
  const [reading, setReading] = useState<Reading | ''>('');
  const write = useAct('touch_create', {
    says: ({ move }) => move?.sentence ?? 'Logged',
    touches: ['prospects', 'deals', 'people'],
  });
  const words = useWords(
    `log:${thread}`,
    (text) =>
      write.mutateAsync({
        thread,
        text,
        channel: way,
        direction: theirs ? 'in' : 'out',
        ...(theirs && reading ? { reading } : {}),
      }),
    box,
  );
  return (
    <section className={classes.answer} aria-label="Log a call or message">
      <div className={classes.how}>
        <NativeSelect
          aria-label="Channel"
          value={way}
          data={[...WAYS]}
          onChange={(event) =>
            setWay(WAYS.find(({ value }) => value === event.currentTarget.value)?.value ?? 'call')
          }
        />
        <NativeSelect
          aria-label="Direction"
          value={theirs ? 'in' : 'out'}
          data={[
            { value: 'in', label: 'From them' },
            { value: 'out', label: 'To them' },
          ]}
          onChange={(event) => setTheirs(event.currentTarget.value === 'in')}
        />
        {theirs && (
          <NativeSelect
            aria-label="Reading (what the reply means)"
            value={reading}
            data={[
              { value: '', label: 'No reading' },
              ...READINGS_LISTED.filter((one) => one !== 'unread').map((value) => ({
                value,
                label: READING[value].title,
              })),
            ]}
            onChange={(event) =>
              setReading(READINGS_LISTED.find((one) => one === event.currentTarget.value) ?? '')
            }
          />
        )}
      </div>
      <Textarea
        aria-label="Message"
        placeholder={
          theirs ? 'What did they say? Their sequence stops when you save this.' : 'What did you say?'
        }
        {...words.field}
      />
      <div className={classes.end}>
        <Button loading={write.isPending} disabled={words.empty} onClick={() => void words.keep()}>
          Save
        </Button>
        <Button variant="subtle" color="gray" onClick={words.discard}>
          {words.empty ? 'Cancel' : 'Discard'}
        </Button>
      </div>
    </section>
  );
}
