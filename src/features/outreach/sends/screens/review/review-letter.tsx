// One letter in review: recipient, campaign, author and reason; the letter; and the decision. The letter never changes while it
// is being read: a new version is announced, and nothing is approved before it was shown.
import { CloseButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { RefreshCw, TriangleAlert } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import type { Answer, ApiError } from '../../../../../ui/client/call.ts';
import { useRead } from '../../../../../ui/client/hooks.ts';
import { Principal } from '../../../../../ui/kit/principal.tsx';
import { Bones, Trouble } from '../../../../../ui/kit/states.tsx';
import { Time } from '../../../../../ui/kit/time.tsx';
import type { Send } from '../../contract.ts';
import { EditLetter } from '../edit-letter.tsx';
import { Letter } from '../letter.tsx';
import { ReviewDecide } from './review-decide.tsx';
import type { Decision } from './use-decisions.ts';
import { addressee, KIND, STATE, WHY_HERE } from '../words.ts';
import panes from '../../../../../ui/kit/panes.module.css';
import classes from './review.module.css';

type ReviewLetterProps = {
  row: Send;
  refused: ApiError | null;
  read: () => void;
  decide: (send: Send, decision: Decision) => void;
  next: () => void;
  back: () => void;
  /** Puts the focus on its row. */
  leave: () => void;
  editing: boolean;
  edit: (on: boolean) => void;
};

export function ReviewLetter(props: ReviewLetterProps) {
  const { row, refused, read, decide, next, back, leave, editing, edit } = props;
  const asked = useRead('send_read', { send: row.id }, { stale_ms: 0 });
  const [shown, setShown] = useState<Answer<'send_read'> | null>(null);
  if (asked.data && !shown) setShown(asked.data);
  const stands = shown !== null;
  useEffect(() => {
    if (stands) read();
    // Once it is on the screen it was opened; `read` is made again with each rendering.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [stands]);
  // Another letter is in its place: nothing of this one is being edited.
  const stop = useEffectEvent(() => edit(false));
  useEffect(() => () => stop(), []);
  const newest = asked.data?.send;
  const changed = shown !== null && newest !== undefined && newest.fingerprint !== shown.send.fingerprint;
  const left = newest !== undefined && newest.state !== 'review' ? newest : null;
  const send = shown?.send ?? row;
  const refresh = async (): Promise<void> => {
    const { data } = await asked.refetch();
    if (data) setShown(data);
  };
  return (
    <article className={panes.detail} aria-label={`Letter to ${addressee(row)}`}>
      <div className={panes.scroll} tabIndex={0} role="group" aria-label="Letter to review">
        <header className={panes.head}>
          <p className={panes.above}>
            <span>{send.campaign_name ?? KIND[send.kind]}</span>
            {send.person_id && (
              <Link to="/people/$person" params={{ person: send.person_id }}>
                {addressee(send)}
              </Link>
            )}
            <Link to="/sends/$send" params={{ send: send.id }}>
              Gates and history
            </Link>
            <span className={panes.tools}>
              <CloseButton className={panes.back ?? ''} aria-label="Back to list" onClick={back} />
            </span>
          </p>
          {shown && <Wrote whole={shown} />}
          <p className={panes.why}>
            {send.review_reason ? WHY_HERE[send.review_reason] : 'Waiting in review.'}
          </p>
        </header>
        {(refused ?? (changed || left !== null)) && (
          <p className={classes.notice} role="alert">
            <TriangleAlert size={15} aria-hidden />
            <span>
              {left ? (
                `No longer in review: ${STATE[left.state].title.toLowerCase()}.`
              ) : changed ? (
                <>
                  This letter changed after you opened it. Nothing was approved.{' '}
                  <button type="button" className={classes.textButton} onClick={() => void refresh()}>
                    <RefreshCw size={12} aria-hidden /> Show the current text
                  </button>
                </>
              ) : (
                refused?.sentence
              )}
            </span>
          </p>
        )}
        {send.note && <p className={classes.notice}>Previously returned: {send.note}</p>}
        {send.unresolved.length > 0 && (
          <p className={classes.notice}>
            <TriangleAlert size={15} aria-hidden />
            <span>
              Fields without a value for this person: {send.unresolved.join(', ')}. The letter is held until
              they’re filled in.
            </span>
          </p>
        )}
        {shown && editing ? (
          <EditLetter
            send={shown.send}
            done={(saved) => {
              edit(false);
              leave();
              if (saved) void refresh();
            }}
          />
        ) : shown ? (
          <Letter send={shown.send} whole={shown} />
        ) : asked.error ? (
          <Trouble error={asked.error} again={() => void asked.refetch()} />
        ) : (
          <Bones lines={7} />
        )}
      </div>
      {!editing && (
        <footer className={panes.foot}>
          <ReviewDecide
            send={send}
            closed={
              !shown
                ? 'The letter is still loading.'
                : left
                  ? 'This letter is no longer in review.'
                  : changed
                    ? 'The letter changed. Read the current version first.'
                    : null
            }
            decide={(decision) => decide(send, decision)}
            edit={() => edit(true)}
            next={next}
            leave={leave}
          />
        </footer>
      )}
    </article>
  );
}

/** Who is answerable for the words: whoever wrote it again, else the last who drafted or edited it. */
function Wrote({ whole: { send, history } }: { whole: Answer<'send_read'> }) {
  const last = history.find(({ kind }) => ['edited', 'rewritten', 'made_anew', 'drafted'].includes(kind));
  const by = send.rewritten?.by ?? last?.by;
  return (
    <p className={panes.who}>
      {by && <Principal of={by} behalf={by.on_behalf_of ?? null} />}
      <span>
        created it <Time at={last?.at ?? send.created_at} />
        {send.rewritten?.reason && <>: {send.rewritten.reason}</>}
      </span>
    </p>
  );
}
