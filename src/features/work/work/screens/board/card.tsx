// One card: what it is, who has it and what it waits for, in the frame of every card.
import { Link } from '@tanstack/react-router';
import { CalendarDays, Stamp } from 'lucide-react';
import { memo } from 'react';
import { Label, PriorityMark } from '../../../../../ui/kit/pills.tsx';
import { Mark } from '../../../../../ui/kit/principal.tsx';
import type { Card } from '../../contract.ts';
import { isOver, liveClaim } from '../../rules.ts';
import { foretold, MoveMenu } from './move-menu.tsx';
import { CardFrame, type CardProps } from '../../../../../ui/board/card-frame.tsx';
import { minutesLeft, useNow } from '../item/use-now.ts';
import { dayWord, today } from '../../../../../ui/kit/days.ts';
import { named } from '../../../../../ui/kit/who.ts';
import { TitleText } from '../../../../../ui/kit/title-text.tsx';
import classes from '../../../../../ui/board/card.module.css';

type ItemCardProps = CardProps<Card> & { project: string; fresh: boolean };

const SHOWN_LABELS = 2;

export const BoardCard = memo(function BoardCard({ project, ...props }: ItemCardProps) {
  const { card } = props;
  return (
    <CardFrame {...props} name={card.key} over={isOver(card.status)} moveMenu={<MoveMenu card={card} />}>
      {(link) => (
        <>
          <p className={classes.top}>
            <span className={classes.key}>{card.key}</span>
            {card.priority !== 'none' && <PriorityMark priority={card.priority} size={14} />}
            <span className={classes.holder}>
              <ClaimMark card={card} />
            </span>
          </p>
          <Link
            to="/work/$project/$item"
            params={{ project, item: card.key }}
            className={classes.title}
            {...link}
          >
            <TitleText>{card.title}</TitleText>
          </Link>
          <Foot card={card} />
        </>
      )}
    </CardFrame>
  );
});

function ClaimMark({ card }: { card: Card }) {
  const now = useNow();
  const claim = liveClaim(card, now);
  if (!claim) return null;
  return (
    <span className={classes.claim} data-kind={claim.holder.kind} title={`Claimed by ${named(claim.holder)}`}>
      <Mark of={claim.holder} size={15} />
      <span className={classes.holderName}>
        <span className="unseen">Claimed by </span>
        {claim.holder.name}
      </span>
      <span>{minutesLeft(claim.expires_at, now)} min</span>
    </span>
  );
}

function Foot({ card }: { card: Card }) {
  const { labels, due_on, assignee, approval_id } = card;
  const asks = card.needs_review && !approval_id && !isOver(card.status) ? foretold(card, 'done') : null;
  if (labels.length === 0 && !due_on && !assignee && !approval_id && !asks) return null;
  const late = due_on !== null && due_on < today() && !isOver(card.status);
  return (
    <div className={classes.foot}>
      {approval_id && (
        <span className={classes.waits}>
          <Stamp size={12} aria-hidden />
          Waiting for review
        </span>
      )}
      {asks && (
        <span className={classes.asks} title="Requires approval before it’s done">
          <Stamp size={13} aria-hidden />
          <span className="unseen">Requires approval before it’s done</span>
        </span>
      )}
      {due_on && (
        <span className={classes.due} data-late={late || undefined}>
          <CalendarDays size={12} aria-hidden />
          <span className="unseen">{late ? 'Overdue since' : 'Due'} </span>
          {dayWord(due_on)}
        </span>
      )}
      {labels.slice(0, SHOWN_LABELS).map((label) => (
        <Label key={label}>{label}</Label>
      ))}
      {labels.length > SHOWN_LABELS && (
        <span className={classes.more} title={labels.slice(SHOWN_LABELS).join(', ')}>
          +{labels.length - SHOWN_LABELS}
        </span>
      )}
      {assignee && (
        <span className={classes.assignee}>
          <Mark of={assignee} size={20} />
          <span className="unseen">
            Assigned to {assignee.name}
            {assignee.kind === 'person' ? '' : ` (${assignee.kind})`}
            {assignee.on_behalf_of && `, on behalf of ${assignee.on_behalf_of.name}`}
          </span>
        </span>
      )}
    </div>
  );
}
