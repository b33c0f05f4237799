// One card: what it is, who has it and what it waits for, as one link with a menu beside it. Enter opens the item, a click
// shows it at the side, and the whole card can be dragged.
import { Link } from '@tanstack/react-router';
import { CalendarDays, Ellipsis, Stamp } from 'lucide-react';
import { memo, useRef, type KeyboardEvent, type MouseEvent } from 'react';
import { Label, PriorityMark } from '../../../../../ui/kit/pills.tsx';
import { Mark } from '../../../../../ui/kit/principal.tsx';
import type { Card } from '../../contract.ts';
import { isOver, liveClaim } from '../../rules.ts';
import { foretold, MoveMenu } from './move-menu.tsx';
import { useCardDrag } from '../../../../../ui/board/use-drag.ts';
import { minutesLeft, useNow } from '../item/use-now.ts';
import { dayWord, today } from '../../../../../ui/kit/days.ts';
import { named } from '../../../../../ui/kit/who.ts';
import { TitleText } from '../../../../../ui/kit/title-text.tsx';
import classes from '../../../../../ui/board/card.module.css';

export type CardActs = {
  focused: (id: string) => void;
  peek: (card: Card) => void;
  menu: (id: string | null) => void;
};

type CardProps = {
  card: Card;
  project: string;
  /** The one card that Tab reaches; the arrows move it. */
  active: boolean;
  peeked: boolean;
  menuOpen: boolean;
  fresh: boolean;
  acts: CardActs;
};

const SHOWN_LABELS = 2;

export const BoardCard = memo(function BoardCard(props: CardProps) {
  const { card, project, active, peeked, menuOpen, fresh, acts } = props;
  const element = useRef<HTMLElement>(null);
  useCardDrag(element, card.id, card.status);

  const onClick = (event: MouseEvent): void => {
    // A key's click has no count: the keyboard opens the item itself, as a click with a modifier does in a tab of its own.
    if (event.detail === 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    acts.peek(card);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== ' ') return;
    event.preventDefault();
    acts.peek(card);
  };

  return (
    <article
      ref={element}
      className={classes.card}
      data-card={card.id}
      data-peeked={peeked || undefined}
      data-fresh={fresh || undefined}
      data-over={isOver(card.status) || undefined}
      onFocus={() => acts.focused(card.id)}
    >
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
        draggable={false}
        tabIndex={active ? 0 : -1}
        data-card-link
        onClick={onClick}
        onKeyDown={onKeyDown}
      >
        <TitleText>{card.title}</TitleText>
      </Link>
      <Foot card={card} />
      <button
        type="button"
        className={classes.menu}
        aria-label={`Move ${card.key} to…`}
        aria-haspopup="menu"
        tabIndex={active ? 0 : -1}
        onClick={() => acts.menu(card.id)}
      >
        <Ellipsis size={15} aria-hidden />
      </button>
      {menuOpen && <MoveMenu card={card} />}
    </article>
  );
});

function ClaimMark({ card }: { card: Card }) {
  const now = useNow();
  const claim = liveClaim(card, now);
  if (!claim) return null;
  return (
    <span className={classes.claim} data-kind={claim.holder.kind} title={`Held by ${named(claim.holder)}`}>
      <Mark of={claim.holder} size={15} />
      <span className={classes.holderName}>
        <span className="unseen">Held by </span>
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
          Waits for review
        </span>
      )}
      {asks && (
        <span className={classes.asks} title={`Moved to done, it ${asks}`}>
          <Stamp size={13} aria-hidden />
          <span className="unseen">Needs approval to be done</span>
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
