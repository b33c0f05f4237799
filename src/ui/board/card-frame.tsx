// The frame of a card: one link with a menu beside it. Enter opens what it represents, a click or the space bar shows it at the
// side, and the whole card can be dragged.
import { Ellipsis } from 'lucide-react';
import { useRef, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react';
import classes from './card.module.css';
import { useCardDrag } from './use-drag.ts';

export type CardActs<C> = {
  focused: (id: string) => void;
  peek: (card: C) => void;
  menu: (id: string | null) => void;
};

export type CardProps<C> = {
  card: C;
  /** The one card that Tab reaches; the arrows move it. */
  active: boolean;
  peeked: boolean;
  menuOpen: boolean;
  acts: CardActs<C>;
};

/** What a card's link takes beside where it leads. */
export type CardLink = {
  draggable: false;
  tabIndex: number;
  'data-card-link': true;
  onClick: (event: MouseEvent) => void;
  onKeyDown: (event: KeyboardEvent) => void;
};

type CardFrameProps<C> = CardProps<C> & {
  /** What it is called where it is moved. */
  name: string;
  fresh?: boolean;
  over?: boolean;
  children: (link: CardLink) => ReactNode;
  moveMenu: ReactNode;
};

export function CardFrame<C extends { id: string; status: string }>(props: CardFrameProps<C>) {
  const { card, name, active, peeked, menuOpen, fresh, over, acts, children, moveMenu } = props;
  const element = useRef<HTMLElement>(null);
  useCardDrag(element, card.id, card.status);
  const tabIndex = active ? 0 : -1;
  const link: CardLink = {
    draggable: false,
    tabIndex,
    'data-card-link': true,
    onClick(event) {
      // A key's click has no count: the keyboard opens it itself, as a click with a modifier does in a tab of its own.
      if (event.detail === 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      acts.peek(card);
    },
    onKeyDown(event) {
      if (event.key !== ' ') return;
      event.preventDefault();
      acts.peek(card);
    },
  };
  return (
    <article
      ref={element}
      className={classes.card}
      data-card={card.id}
      data-peeked={peeked || undefined}
      data-fresh={fresh || undefined}
      data-over={over || undefined}
      onFocus={() => acts.focused(card.id)}
    >
      {children(link)}
      <button
        type="button"
        className={classes.menu}
        aria-label={`Move ${name} to…`}
        aria-haspopup="menu"
        tabIndex={tabIndex}
        onClick={() => acts.menu(card.id)}
      >
        <Ellipsis size={15} aria-hidden />
      </button>
      {menuOpen && moveMenu}
    </article>
  );
}
