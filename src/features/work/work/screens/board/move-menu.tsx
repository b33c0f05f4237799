// "Move to…": the six columns, with a word on what will happen where that is not plain. Digits choose, as do the arrows.
import { Menu } from '@mantine/core';
import { Check } from 'lucide-react';
import { createContext, use } from 'react';
import { CardMenu } from '../../../../../ui/board/move-menu.tsx';
import { KeyHint } from '../../../../../ui/kit/key-hint.tsx';
import { STATUS, StatusMark, STATUSES } from '../../../../../ui/kit/pills.tsx';
import type { Card, Status } from '../../contract.ts';
import { ruleMove } from '../../rules.ts';
import classes from '../../../../../ui/board/card.module.css';

type Moving = {
  titles: Partial<Record<Status, string>>;
  move: (card: Card, to: Status) => void;
  closed: (id: string) => void;
};

/** What a board or an item lends the menu: the project's names of the columns, and the acts. */
export const MovingContext = createContext<Moving>({ titles: {}, move: () => {}, closed: () => {} });

/** What a person's move will come to, where it is more than a move. */
export function foretold(card: Pick<Card, 'status' | 'needs_review'>, to: Status): string | null {
  const ruling = ruleMove(card, to, { agent: false });
  if (ruling.kind === 'lands') return ruling.withdraws ? 'withdraws it from review' : null;
  if (ruling.kind === 'stays') return null;
  if (!ruling.opens) return to === card.status ? null : 'once someone approves it';
  return to === 'done' ? 'asks for a review first' : 'asks for a review';
}

/** The entries alone; whoever shows them brings the menu. */
export function MoveEntries({ card }: { card: Card }) {
  const { titles, move } = use(MovingContext);
  return STATUSES.map((status, at) => {
    const says = foretold(card, status);
    const here = status === card.status;
    return (
      <Menu.Item
        key={status}
        leftSection={<StatusMark status={status} />}
        rightSection={
          here ? <Check size={14} aria-label="Current column" /> : <KeyHint keys={String(at + 1)} />
        }
        data-digit={at + 1}
        onClick={() => move(card, status)}
      >
        {titles[status] ?? STATUS[status].title}
        {says && <span className={classes.says}>{says}</span>}
      </Menu.Item>
    );
  });
}

export function MoveMenu({ card }: { card: Card }) {
  const { closed } = use(MovingContext);
  return (
    <CardMenu name={card.key} title={`Move ${card.key} to`} width={260} closed={() => closed(card.id)}>
      <MoveEntries card={card} />
    </CardMenu>
  );
}
