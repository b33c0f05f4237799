// What is around a board and the list of the same things: the choice of one of the two, and the board while it loads.
import { SegmentedControl } from '@mantine/core';
import { Rows3, SquareKanban } from 'lucide-react';
import { Bone } from '../kit/states.tsx';
import classes from './columns.module.css';

/** What a button says where there is room: `New item`, else `New`. */
export const Roomy = ({ children }: { children: string }) => (
  <span className={classes.wide}>
    {'\u00a0'}
    {children}
  </span>
);

export const BoardOrList = ({ listed, choose }: { listed: boolean; choose: (listed: boolean) => void }) => (
  <SegmentedControl
    aria-label="Board or list"
    size="xs"
    value={listed ? 'list' : 'board'}
    onChange={(view) => choose(view === 'list')}
    data={[
      { value: 'board', label: <ViewName icon={SquareKanban} name="Board" /> },
      { value: 'list', label: <ViewName icon={Rows3} name="List" /> },
    ]}
  />
);

const ViewName = ({ icon: Icon, name }: { icon: typeof Rows3; name: string }) => (
  <span className={classes.view}>
    <Icon size={14} role="img" aria-label={name} />
    <span className={classes.wide} aria-hidden>
      {name}
    </span>
  </span>
);

/** `cards`: how many are in each column; `keyed` ones have a line above their title, others below it. */
export const BoardBones = ({ cards, keyed = false }: { cards: number[]; keyed?: boolean }) => (
  <div className={classes.bones}>
    <span className="unseen" role="status">
      Loading
    </span>
    {cards.map((count, column) => (
      <div key={column} aria-hidden>
        <Bone width="40%" />
        {Array.from({ length: count }, (_, i) => (
          <div key={i}>
            {keyed && <Bone width="30%" height={10} />}
            <Bone width={i % 2 ? '70%' : '88%'} />
            {!keyed && <Bone width="30%" height={10} />}
          </div>
        ))}
      </div>
    ))}
  </div>
);
