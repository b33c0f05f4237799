// One thing that waits, whole: what it is, who wrote it and who asked, why it is here, what changed since it was sent back, what
// was said; and below it the decision. All of it is quoted: nothing in it can look like a part of this screen.
import { Button, CloseButton } from '@mantine/core';
import { SquareArrowOutUpRight } from 'lucide-react';
import { usePages, useRead } from '../../../../ui/client/hooks.ts';
import { KeyHint } from '../../../../ui/kit/key-hint.tsx';
import { Facts } from '../../../../ui/kit/detail-drawer.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Principal } from '../../../../ui/kit/principal.tsx';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { Approval } from '../contract.ts';
import { titleOf } from '../words.rules.ts';
import { ActAnswer, ActShown } from './act.tsx';
import { Decide } from './decide.tsx';
import { useReviews } from './earlier.tsx';
import { ReviewedItem } from './reviewed-item.tsx';
import { KINDS } from './queue-filters.tsx';
import { STATES } from './queue.tsx';
import { sinceSentBack } from './since.ts';
import { whyHere } from './why.ts';
import { TitleText } from '../../../../ui/kit/title-text.tsx';
import classes from '../../../../ui/kit/panes.module.css';

type DetailProps = {
  approval: Approval;
  /** What its act answered when it was approved here just now. */
  answer: Record<string, unknown> | null;
  decided: (approval: Approval, answer: Record<string, unknown> | null) => void;
  next: () => void;
  back: () => void;
  openItem: () => void;
  offerUndo: (says: string, approvals: string[]) => void;
  /** Puts the focus on its row. */
  leave: () => void;
};

export function Detail(props: DetailProps) {
  const { approval, answer, decided, next, back, openItem, offerUndo, leave } = props;
  const { subject, requested_by, author, state } = approval;
  // Whole, with the letters that it would let go: no one signs for what the list leaves out.
  const whole = useRead(
    'approval_get',
    { approval: approval.id },
    { enabled: approval.act !== null && state === 'pending' },
  );
  const act = whole.data?.approval.act ?? approval.act;
  const isItem = subject.kind === 'item';
  const isAct = approval.act !== null;
  const read = useRead('item_get', { item_id: subject.id }, { enabled: isItem });
  const placed = useRead(
    'project_get',
    { project: approval.project_id ?? '' },
    { enabled: approval.project_id !== null, stale_ms: 60_000 },
  ).data;
  const project = placed && { ...placed.project, custom_fields: placed.item_fields };
  const comments = usePages('comment_list', { item_id: subject.id, limit: 200 }, { enabled: isItem });
  const changes = usePages('item_history', { item_id: subject.id, limit: 100 }, { enabled: isItem });
  const reviews = useReviews(subject.id, isItem);
  const item = read.data?.item;
  const isWhole = !isAct || state !== 'pending' || whole.data !== undefined;
  const ready = !isItem
    ? isWhole
    : item !== undefined && !comments.pending && !changes.pending && !reviews.pending;
  const wrote = author.id === requested_by.id && author.kind === requested_by.kind;
  return (
    <article
      className={classes.detail}
      aria-label={`${isAct ? titleOf(approval) : subject.key}, ${KINDS[approval.kind]}`}
    >
      <div className={classes.scroll} tabIndex={0} role="group" aria-label="Approval details">
        <header className={classes.head}>
          <p className={classes.above}>
            {isAct || <span>{subject.key}</span>}
            <span>{KINDS[approval.kind]}</span>
            {state !== 'pending' && <Pill tone={STATES[state].tone}>{STATES[state].word}</Pill>}
            <span className={classes.tools}>
              {isItem && (
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="gray"
                  leftSection={<SquareArrowOutUpRight size={14} />}
                  rightSection={<KeyHint keys="Enter" />}
                  onClick={openItem}
                >
                  Open item
                </Button>
              )}
              <CloseButton className={classes.back ?? ''} aria-label="Back to list" onClick={back} />
            </span>
          </p>
          <h2>
            <TitleText>{item?.title ?? titleOf(approval)}</TitleText>
          </h2>
          <p className={classes.who}>
            <Principal of={requested_by} behalf={requested_by.on_behalf_of ?? null} />
            <span>
              {isAct ? 'proposed it' : requested_by.kind === 'person' ? 'asked' : 'finished it'}{' '}
              <Time at={approval.created_at} />
            </span>
            {!wrote && (
              <>
                <span className={classes.dot}>written by</span>
                <Principal of={author} behalf={author.on_behalf_of ?? null} />
              </>
            )}
          </p>
          <p className={classes.why}>{whyHere(approval)}</p>
        </header>
        {isItem && item && project && ready ? (
          <ReviewedItem
            item={item}
            project={project}
            comments={comments.rows}
            changes={changes.rows}
            since={sinceSentBack(approval, reviews.rows, changes.rows, comments.rows)}
            approval={approval}
          />
        ) : read.error ? (
          <Trouble error={read.error} again={() => void read.refetch()} />
        ) : isItem ? (
          <Bones lines={6} />
        ) : whole.error ? (
          <Trouble error={whole.error} again={() => void whole.refetch()} />
        ) : act ? (
          <>
            {answer && <ActAnswer answer={answer} steps={act.steps?.length ?? null} />}
            {isWhole ? <ActShown act={act} pending={state === 'pending'} /> : <Bones lines={6} />}
          </>
        ) : (
          <Facts
            of={[
              ['Kind', KINDS[approval.kind]],
              ['Subject', subject.title],
              ['Revision', subject.revision],
            ]}
          />
        )}
      </div>
      <footer className={classes.foot}>
        {state === 'pending' ? (
          <Decide
            approval={{ ...approval, act }}
            ready={ready}
            keys
            decided={decided}
            offerUndo={offerUndo}
            leave={leave}
          />
        ) : (
          <p className={classes.over}>
            <span>
              {STATES[state].word}
              {approval.decided_by && <> by {approval.decided_by.name}</>}{' '}
              {approval.decided_at && <Time at={approval.decided_at} />}.
              {state === 'superseded' &&
                ' This item changed while it was waiting. A newer approval has the current version.'}
            </span>
            <Button variant="default" onClick={next}>
              Next
            </Button>
          </p>
        )}
      </footer>
    </article>
  );
}
