// The decision on a letter, by button or by one key: approve, return or reject with a note, edit. A note that was begun stays
// with its letter while one looks at another.
import { Button, Textarea } from '@mantine/core';
import { Check, CornerUpLeft, Lock, Pencil, X } from 'lucide-react';
import { useState } from 'react';
import { ActButton } from '../../../../../ui/kit/act-button.tsx';
import { KeyHint } from '../../../../../ui/kit/key-hint.tsx';
import { useKeys } from '../../../../../ui/kit/keys.ts';
import type { Send } from '../../contract.ts';
import type { Decision } from './use-decisions.ts';
import { addressee } from '../words.ts';
import decideClasses from '../../../../../ui/kit/decide.module.css';
import classes from './review.module.css';
import { sends } from '../../../../../ui/kit/writing-keys.ts';

type Noted = 'return' | 'reject';
const drafts = new Map<string, { kind: Noted; text: string }>();

type ReviewDecideProps = {
  send: Send;
  /** Why nothing can be decided now. */
  closed: string | null;
  decide: (decision: Decision) => void;
  edit: () => void;
  next: () => void;
  /** Puts the focus back on the letter's row: what was begun here is given up. */
  leave: () => void;
};

export function ReviewDecide({ send, closed, decide, edit, next, leave }: ReviewDecideProps) {
  const [draft, setDraft] = useState(() => drafts.get(send.id) ?? null);
  const write = (to: { kind: Noted; text: string } | null): void => {
    if (to) drafts.set(send.id, to);
    else drafts.delete(send.id);
    setDraft(to);
  };
  const begin = (kind: Noted): void => {
    if (closed === null) write({ kind, text: draft?.text ?? '' });
  };
  const giveUp = (): void => {
    write(null);
    leave();
  };
  const finish = (decision: Decision): void => {
    if (closed !== null || (decision.kind === 'return' && decision.note === '')) return;
    drafts.delete(send.id);
    decide(decision);
  };
  const once = (run: () => void) => (event: KeyboardEvent) => (event.repeat ? undefined : run());
  useKeys([
    { keys: 'a', does: 'Approve', group: 'Decision', run: once(() => finish({ kind: 'approve' })) },
    { keys: 'r', does: 'Return with a note', group: 'Decision', run: once(() => begin('return')) },
    { keys: 'd', does: 'Reject', group: 'Decision', run: once(() => begin('reject')) },
    { keys: 'e', does: 'Edit', group: 'Decision', run: once(() => closed === null && edit()) },
  ]);

  if (draft && closed === null) {
    const send_it = (): void => finish({ kind: draft.kind, note: draft.text.trim() });
    return (
      <div className={classes.notes}>
        <Textarea
          autoFocus
          autosize
          minRows={2}
          maxRows={8}
          maxLength={2_000}
          label={draft.kind === 'return' ? 'What should be rewritten?' : 'Reason (optional)'}
          value={draft.text}
          onChange={(event) => write({ ...draft, text: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key === 'Escape') {
              event.stopPropagation();
              giveUp();
            }
            if (sends(event)) send_it();
          }}
        />
        <div className={classes.end}>
          <ActButton
            decides
            {...(draft.kind === 'reject' ? { color: 'red' } : {})}
            closed={
              draft.kind === 'return' && draft.text.trim() === '' ? 'Say what should be rewritten.' : null
            }
            rightSection={<KeyHint keys="mod+Enter" />}
            onClick={send_it}
          >
            {draft.kind === 'return' ? 'Return' : 'Reject'}
          </ActButton>
          <Button variant="default" onClick={giveUp}>
            Cancel
          </Button>
        </div>
      </div>
    );
  }
  const hint = (key: string) => (closed === null ? <KeyHint keys={key} /> : undefined);
  const other = { closed, variant: 'default' } as const;
  return (
    <div className={decideClasses.decide}>
      <div className={decideClasses.buttons}>
        <ActButton
          decides
          closed={closed}
          leftSection={<Check size={15} />}
          rightSection={hint('a')}
          onClick={() => finish({ kind: 'approve' })}
        >
          Approve
        </ActButton>
        <ActButton
          {...other}
          leftSection={<CornerUpLeft size={15} />}
          rightSection={hint('r')}
          onClick={() => begin('return')}
        >
          Return
        </ActButton>
        <ActButton
          {...other}
          leftSection={<X size={15} />}
          rightSection={hint('d')}
          onClick={() => begin('reject')}
        >
          Reject
        </ActButton>
        <ActButton {...other} leftSection={<Pencil size={15} />} rightSection={hint('e')} onClick={edit}>
          Edit
        </ActButton>
        <Button variant="subtle" color="gray" rightSection={<KeyHint keys="j" />} onClick={next}>
          Next
        </Button>
      </div>
      <p className={decideClasses.says} data-closed={closed !== null || undefined}>
        {closed !== null && <Lock size={13} aria-hidden />}
        <span>
          {closed ?? `After approval it goes to ${addressee(send)} at ${send.to} as soon as its gates pass.`}
        </span>
      </p>
    </div>
  );
}
