// "Move to…": the stages, and how a deal is closed. Digits choose, as do the arrows.
import { Menu } from '@mantine/core';
import { Check, CircleX, Trophy } from 'lucide-react';
import { createContext, use } from 'react';
import { useDigits } from '../../../../ui/kit/digits.ts';
import { KeyHint } from '../../../../ui/kit/key-hint.tsx';
import classes from '../../../../ui/board/card.module.css';
import type { Stage } from '../pipeline.contract.ts';
import type { DealState } from '../contract.ts';
import type { DealCard } from './use-board.ts';

export type SettleCard = (card: DealCard, to: DealState) => void;

type Moving = {
  stages: Stage[];
  move: (card: DealCard, to: string) => void;
  settle: SettleCard;
  closed: (id: string) => void;
};

/** What the board lends the menu. */
export const MovingContext = createContext<Moving>({
  stages: [],
  move: () => {},
  settle: () => {},
  closed: () => {},
});

/** Open as long as it stands; the board says on which card. */
export function MoveMenu({ card }: { card: DealCard }) {
  const { stages, move, settle, closed } = use(MovingContext);
  const digits = useDigits();
  return (
    <Menu
      opened
      onChange={(open) => !open && closed(card.id)}
      position="bottom-end"
      width={240}
      returnFocus={false}
      portalProps={{ target: '#screen' }}
    >
      <Menu.Target>
        <button type="button" className={classes.anchor} tabIndex={-1} aria-hidden />
      </Menu.Target>
      <Menu.Dropdown aria-label={`Move ${card.name} to`} ref={digits}>
        <Menu.Label>Move to</Menu.Label>
        {stages.map(({ key, title }, at) => (
          <Menu.Item
            key={key}
            data-digit={at + 1}
            rightSection={
              key === card.status ? (
                <Check size={14} aria-label="Where it is now" />
              ) : (
                at < 9 && <KeyHint keys={String(at + 1)} />
              )
            }
            onClick={() => move(card, key)}
          >
            {title}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<Trophy size={14} />} onClick={() => settle(card, 'won')}>
          Won
        </Menu.Item>
        <Menu.Item leftSection={<CircleX size={14} />} onClick={() => settle(card, 'lost')}>
          Lost…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
