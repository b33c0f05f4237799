// One message, call or note: author, time and text; quoted text, formatting and files open on request. Its content is
// untrusted.
import { Button, Checkbox } from '@mantine/core';
import { Bot, Lock, Paperclip, ShieldAlert } from 'lucide-react';
import { useState } from 'react';
import { useRead } from '../../../../../ui/client/hooks.ts';
import { MailFrame } from '../../../../../ui/kit/mail-frame.tsx';
import { sizeText } from '../../../../../ui/kit/numbers.ts';
import { Pill } from '../../../../../ui/kit/pills.tsx';
import { Mark } from '../../../../../ui/kit/principal.tsx';
import { Bones, Trouble } from '../../../../../ui/kit/states.tsx';
import { Time } from '../../../../../ui/kit/time.tsx';
import type { Thread } from '../../contract.ts';
import type { Attachment, Touch } from '../../touches.contract.ts';
import { Asked } from './asked.tsx';
import { ReadingMenu } from './reading-menu.tsx';
import { Said } from './said.tsx';
import { CHANNEL, doubtOf, writer } from './words.ts';
import classes from './touch.module.css';

type TouchProps = {
  touch: Touch;
  thread: Thread;
  /** The newest of theirs: how it was read is in the head of the conversation. */
  newest: boolean;
  open: boolean;
  fold: () => void;
  /** While messages are chosen to be split off. */
  picked?: boolean;
  pick?: () => void;
};

export function TouchView({ touch, thread, newest, open, fold, picked, pick }: TouchProps) {
  const who = writer(touch);
  return (
    <li
      className={classes.touch}
      data-touch={touch.id}
      data-open={open || undefined}
      data-note={touch.note || undefined}
      data-ours={touch.words === 'ours' || undefined}
    >
      <div className={classes.line}>
        {pick && (
          <Checkbox
            size="xs"
            aria-label={`Select message from ${who}`}
            checked={picked ?? false}
            onChange={pick}
          />
        )}
        <button type="button" className={classes.head} aria-expanded={open} onClick={fold}>
          <Mark of={touch.by ?? { kind: 'person', id: touch.id, name: who }} size={24} />
          <span className={classes.who} dir="auto">
            {who}
          </span>
          {open ? (
            touch.from?.name &&
            touch.from.address && <bdi className={classes.address}>{touch.from.address}</bdi>
          ) : (
            <span className={classes.snippet} dir="auto">
              {touch.text.slice(0, 200)}
            </span>
          )}
          <Kind touch={touch} open={open} />
          {touch.attachments.length > 0 && !open && (
            <Paperclip size={13} role="img" aria-label="Has attachments" />
          )}
          <span className={classes.at}>
            <Time at={touch.at} />
          </span>
        </button>
      </div>
      {open && <Body touch={touch} thread={thread} newest={newest} />}
    </li>
  );
}

/** What is no ordinary message says so. */
function Kind({ touch, open }: Pick<TouchProps, 'touch' | 'open'>) {
  return (
    <>
      {touch.note && (
        <Pill tone="warn">
          <Lock size={11} aria-hidden /> Private note
        </Pill>
      )}
      {touch.automatic && (
        <Pill>
          <Bot size={12} aria-hidden /> Automatic
        </Pill>
      )}
      {!open && doubtOf(touch) !== null && <Pill tone="warn">Unverified sender</Pill>}
      {!touch.note && touch.channel !== 'email' && <Pill>{CHANNEL[touch.channel]}</Pill>}
      {touch.attributed_by === 'guessed' && (
        <Pill
          tone="warn"
          title="This email doesn’t reference one of your letters, so it was matched by its sender."
        >
          Matched by sender
        </Pill>
      )}
    </>
  );
}

type Showing = 'text' | 'whole' | 'formatted';

function Body({ touch, thread, newest }: Pick<TouchProps, 'touch' | 'thread' | 'newest'>) {
  const [showing, setShowing] = useState<Showing>('text');
  const whole = useRead(
    'touch_get',
    { thread: thread.id, touch: touch.id },
    { enabled: showing !== 'text', stale_ms: 60_000 },
  );
  const rest = touch.quoted ? 'quoted text' : touch.text_cut && 'the rest';
  const flip = (to: Showing) => (): void => setShowing(showing === to ? 'text' : to);
  const full = whole.data?.touch;
  return (
    <div className={classes.body}>
      {touch.channel === 'email' && !touch.note && <Addressed touch={touch} thread={thread} />}
      <Doubt of={touch} />
      <Asked touch={touch} thread={thread} />
      {touch.quote_hidden && (
        <p className={classes.to}>The quoted text is from a message you don’t have permission to read.</p>
      )}
      {showing === 'text' ? (
        <Said text={touch.text} />
      ) : whole.error ? (
        <Trouble error={whole.error} again={() => void whole.refetch()} />
      ) : !full ? (
        <Bones lines={4} />
      ) : showing === 'formatted' && full.html !== null ? (
        <div className={classes.framed}>
          <MailFrame html={full.html} title={`Formatted message from ${writer(touch)}`} />
        </div>
      ) : (
        <Said text={full.text} />
      )}
      {touch.attachments.length > 0 && <Files thread={thread.id} files={touch.attachments} />}
      <div className={classes.foot}>
        {touch.direction === 'in' && !newest && <ReadingMenu thread={thread.id} touch={touch} />}
        <Details details={touch.details} />
        <span className={classes.spring} />
        {rest && (
          <Button size="compact-xs" variant="subtle" color="gray" onClick={flip('whole')}>
            {showing === 'whole' ? `Hide ${rest}` : `Show ${rest}`}
          </Button>
        )}
        {touch.has_html && (
          <Button size="compact-xs" variant="subtle" color="gray" onClick={flip('formatted')}>
            {showing === 'formatted' ? 'Show as text' : 'Show formatting'}
          </Button>
        )}
      </div>
    </div>
  );
}

const DOUBT = {
  forged: 'This email failed its domain’s authentication. Someone may be impersonating the sender.',
  unverified: 'Your mail server didn’t verify this sender. No deal opens until someone confirms the reading.',
} as const;

const CHECKED = { pass: 'passed', fail: 'failed', none: 'not set up' } as const;

/** Whoever reads it decides: it is shown like any message, and said what is known. */
function Doubt({ of: { authentication: of } }: { of: Touch }) {
  const doubt = doubtOf({ authentication: of });
  if (doubt === null || of === null) return null;
  const said = (['spf', 'dkim', 'dmarc'] as const).flatMap((check) => {
    const result = of[check];
    return result === null ? [] : [`${check.toUpperCase()} ${CHECKED[result]}`];
  });
  return (
    <p className={classes.doubt} role="note">
      <ShieldAlert size={15} aria-hidden />
      <span>
        {DOUBT[doubt]} Contact the sender another way before you act on it.{' '}
        {said.length > 0 && <span className={classes.checks}> {said.join(', ')}.</span>}
      </span>
    </p>
  );
}

const SHOWN = 3;

function Addressed({ touch, thread }: { touch: Touch; thread: Thread }) {
  const [all, setAll] = useState(false);
  const to = [...touch.to, ...touch.cc.map((address) => `${address} (copy)`)];
  if (to.length === 0 && touch.subject === thread.subject) return null;
  return (
    <p className={classes.to}>
      {to.length > 0 && (
        <>
          to <bdi>{to.slice(0, all ? undefined : SHOWN).join(', ')}</bdi>
          {to.length > SHOWN && !all && (
            <button type="button" onClick={() => setAll(true)}>
              and {to.length - SHOWN} more
            </button>
          )}
        </>
      )}
      {touch.subject !== '' && bare(touch.subject) !== bare(thread.subject) && (
        <span className={classes.subject} dir="auto">
          {touch.subject}
        </span>
      )}
    </p>
  );
}

/** A subject without the marks of answering. */
const bare = (subject: string): string => subject.replace(/^(?:\s*(?:re|aw|sv|fwd?|wg)\s*:)+\s*/i, '').trim();

const Files = ({ thread, files }: { thread: string; files: Attachment[] }) => (
  <ul className={classes.files} aria-label="Attachments">
    {files.map((file) => (
      <li key={file.id}>
        {file.kept ? (
          <a href={`/api/threads/${thread}/attachments/${file.id}`} download>
            <Paperclip size={13} aria-hidden />
            <span dir="auto">{file.filename || 'Unnamed file'}</span>
            {file.size !== null && <span className={classes.size}>{sizeText(file.size)}</span>}
          </a>
        ) : (
          <span className={classes.lost}>
            {file.filename}:{' '}
            {file.size === null ? 'too large to save' : `${sizeText(file.size)}, too large to save`}. Open it
            in the mailbox.
          </span>
        )}
      </li>
    ))}
  </ul>
);

const DETAIL: Record<string, string> = {
  returns_on: 'Returns',
  referred_to: 'Suggested contact',
  follow_up_on: 'Follow up',
};

function Details({ details }: { details: Touch['details'] }) {
  const known = Object.entries(DETAIL).flatMap(([key, title]) =>
    typeof details[key] === 'string' ? [[title, details[key]] as const] : [],
  );
  return known.map(([title, value]) => (
    <span key={title} className={classes.detail}>
      {title} <bdi>{value}</bdi>
    </span>
  ));
}
