// One deal on the board: what it is worth, whose it is and when it is expected, as one link with a menu beside it. Enter opens
// the deal, a click shows it at the side, and the whole card can be dragged.
import { Link } from '@tanstack/react-router';
import { CalendarDays, Ellipsis } from 'lucide-react';
import { memo, useRef, type KeyboardEvent, type MouseEvent } from 'react';
import { Mark } from '../../../../ui/kit/principal.tsx';
import classes from '../../../../ui/board/card.module.css';
import { useCardDrag } from '../../../../ui/board/use-drag.ts';
import { dayWord, today } from '../../../../ui/kit/days.ts';
import { moneyText } from './money.rules.ts';
import { MoveMenu } from './move-menu.tsx';
import type { DealCard } from './use-board.ts';
import own from './deals.module.css';

export type CardActs = {
  focused: (id: string) => void;
  peek: (card: DealCard) => void;
  menu: (id: string | null) => void;
};

type CardProps = {
  card: DealCard;
  /** The one card that Tab reaches; the arrows move it. */
  active: boolean;
  peeked: boolean;
  menuOpen: boolean;
  acts: CardActs;
};

export const DealCardView = memo(function DealCardView(props: CardProps) {
  const { card, active, peeked, menuOpen, acts } = props;
  const element = useRef<HTMLElement>(null);
  useCardDrag(element, card.id, card.status);

  const onClick = (event: MouseEvent): void => {
    // A key's click has no count: the keyboard opens the deal itself, as a click with a modifier does in a tab of its own.
    if (event.detail === 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    acts.peek(card);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== ' ') return;
    event.preventDefault();
    acts.peek(card);
  };
  const whom = [card.person_name, card.company_name].filter(Boolean).join(' · ');
  return (
    <article
      ref={element}
      className={classes.card}
      data-card={card.id}
      data-peeked={peeked || undefined}
      onFocus={() => acts.focused(card.id)}
    >
      <Link
        to="/deals/$deal"
        params={{ deal: card.id }}
        className={`${classes.title} ${own.name}`}
        draggable={false}
        tabIndex={active ? 0 : -1}
        data-card-link
        onClick={onClick}
        onKeyDown={onKeyDown}
      >
        {card.name}
      </Link>
      {whom && <p className={own.whom}>{whom}</p>}
      <Foot card={card} />
      <button
        type="button"
        className={classes.menu}
        aria-label={`Move ${card.name} to…`}
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

function Foot({ card }: { card: DealCard }) {
  const { amount, currency, probability, expected_on, owner, owner_name } = card;
  if (amount === null && probability === null && !expected_on && !owner_name) return null;
  const late = expected_on !== null && expected_on < today();
  return (
    <div className={classes.foot}>
      {amount !== null && currency !== null && (
        <strong className={own.money}>{moneyText(amount, currency)}</strong>
      )}
      {probability !== null && (
        <span className={own.own}>
          <span className="unseen">Chance </span>
          {probability}%
        </span>
      )}
      {expected_on && (
        <span className={classes.due} data-late={late || undefined}>
          <CalendarDays size={12} aria-hidden />
          <span className="unseen">{late ? 'Overdue since' : 'Expected on'} </span>
          {dayWord(expected_on)}
        </span>
      )}
      {owner && owner_name && (
        <span className={classes.assignee}>
          <Mark of={{ kind: 'person', id: owner, name: owner_name }} size={20} />
          <span className="unseen">Belongs to {owner_name}</span>
        </span>
      )}
    </div>
  );
}
