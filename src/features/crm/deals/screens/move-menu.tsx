// "Move to…": the stages, and how a deal is closed. Digits choose, as do the arrows.
import { Menu } from '@mantine/core';
import { Check, CircleX, Trophy } from 'lucide-react';
import { createContext, use } from 'react';
import { CardMenu } from '../../../../ui/board/move-menu.tsx';
import { KeyHint } from '../../../../ui/kit/key-hint.tsx';
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

/** Open as long as it exists; the board says on which card. */
export function MoveMenu({ card }: { card: DealCard }) {
  const { stages, move, settle, closed } = use(MovingContext);
  return (
    <CardMenu name={card.name} title="Move to" width={240} closed={() => closed(card.id)}>
      {stages.map(({ key, title }, at) => (
        <Menu.Item
          key={key}
          data-digit={at + 1}
          rightSection={
            key === card.status ? (
              <Check size={14} aria-label="Current stage" />
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
    </CardMenu>
  );
}
