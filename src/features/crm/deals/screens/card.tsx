// One deal on the board: what it is worth, whose it is and when it is expected, in the frame
// of every card.
import { Link } from '@tanstack/react-router';
import { CalendarDays } from 'lucide-react';
import { memo } from 'react';
import { Mark } from '../../../../ui/kit/principal.tsx';
import classes from '../../../../ui/board/card.module.css';
import { CardFrame, type CardProps } from '../../../../ui/board/card-frame.tsx';
import { dayWord, today } from '../../../../ui/kit/days.ts';
import { moneyText } from './money.rules.ts';
import { MoveMenu } from './move-menu.tsx';
import type { DealCard } from './use-board.ts';
import own from './deals.module.css';

export const DealCardView = memo(function DealCardView(props: CardProps<DealCard>) {
  const { card } = props;
  const whom = [card.person_name, card.company_name].filter(Boolean).join(' · ');
  return (
    <CardFrame {...props} name={card.name} moveMenu={<MoveMenu card={card} />}>
      {(link) => (
        <>
          <Link
            to="/deals/$deal"
            params={{ deal: card.id }}
            className={`${classes.title} ${own.name}`}
            {...link}
          >
            {card.name}
          </Link>
          {whom && <p className={own.whom}>{whom}</p>}
          <Foot card={card} />
        </>
      )}
    </CardFrame>
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
          <span className="unseen">Probability </span>
          {probability}%
        </span>
      )}
      {expected_on && (
        <span className={classes.due} data-late={late || undefined}>
          <CalendarDays size={12} aria-hidden />
          <span className="unseen">{late ? 'Overdue since' : 'Expected close'} </span>
          {dayWord(expected_on)}
        </span>
      )}
      {owner && owner_name && (
        <span className={classes.assignee}>
          <Mark of={{ kind: 'person', id: owner, name: owner_name }} size={20} />
          <span className="unseen">Owner: {owner_name}</span>
        </span>
      )}
    </div>
  );
}
