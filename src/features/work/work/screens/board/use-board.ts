// The board as a screen shows it: the product's answer, moves under way laid over it, what other workers changed just now, and
// the way to move a card. A refused move goes back to where the card was, with the product's sentence.
import { useEffect, useRef, useState } from 'react';
import { known, useAct, useRead } from '../../../../../ui/client/hooks.ts';
import { tell } from '../../../../../ui/client/toast.ts';
import { tellUndo } from '../../../../../ui/kit/undo-toast.tsx';
import type { Board, Card, Status } from '../../contract.ts';
import { arrivesOnTop, ruleMove } from '../../rules.ts';
import { withCard, type Spot } from '../../../../../ui/board/place.ts';

import { useMoves } from '../../../../../ui/board/use-board.ts';

/** How long a card stays marked that someone else changed; the animation in the style sheet takes as long. */
const FRESH_MS = 2_400;
const NOBODY: ReadonlySet<string> = new Set();

export function useBoard(project: string) {
  const read = useRead('project_board', { project }, { keep: true });
  const own = useRef(new Map<string, number>());
  const act = useAct('item_move', {
    onSuccess: ({ item }, { status }) => {
      const board = known.get('project_board', { project });
      if (board) known.set('project_board', { project }, withCard<Status, Card, Board>(board, item));
      if (status === 'done' && item.status === 'in_review')
        tell(`${item.key} is in review. It’s done once someone approves it.`);
    },
  });
  const { board, lay, lift } = useMoves<Status, Card, Board>(read.data, arrivesOnTop);
  const fresh = useFresh(read.data, own);

  const move = async (card: Card, to: Spot<Status>, undoing = false): Promise<void> => {
    const ruling = ruleMove(card, to.status, { agent: false });
    if (ruling.kind === 'stays' && to.position === undefined) return;
    if (card.status !== to.status && ruling.kind === 'parks' && !ruling.opens)
      return tell(`${card.key} is in review. It’s done once someone approves it.`);
    // What parks goes to the review's end, wherever in another column it was let go.
    const parks = ruling.kind === 'parks' && to.status !== 'in_review';
    touched(own.current, card.id);
    lay(card.id, parks ? { status: 'in_review' } : to);
    await known.hold('project_board', { project });
    const moved = await act
      .mutateAsync({ item_id: card.id, ...(parks ? { status: to.status } : to) })
      .catch(() => null);
    touched(own.current, card.id);
    lift(card.id);
    if (!moved || to.status === card.status || moved.item.status !== to.status) return;
    const title = read.data?.columns.find(({ status }) => status === to.status)?.title ?? to.status;
    const says = `${card.key} moved to ${title}.`;
    // Back into review it would wait as another approval.
    if (undoing || card.status === 'in_review' || to.status === 'in_review') return tell(says);
    const back = { status: card.status, position: card.position };
    tellUndo(says, () => void move({ ...card, status: to.status }, back, true));
  };
  return {
    read,
    board,
    fresh,
    move: (card: Card, to: Spot<Status>) => move(card, to),
    touch: (id: string) => touched(own.current, id),
  };
}

export type BoardRead = ReturnType<typeof useBoard>;

function touched(own: Map<string, number>, id: string): void {
  own.set(id, performance.now());
}

const markOf = ({ status, revision, claim, approval_id }: Card): string =>
  [status, revision, claim?.holder.id ?? '', approval_id ?? ''].join(' ');

/** The cards that someone else changed within the last moments. */
function useFresh(board: Board | undefined, own: { current: Map<string, number> }): ReadonlySet<string> {
  const before = useRef<{ project: string; marks: Map<string, string> } | null>(null);
  const [fresh, setFresh] = useState<ReadonlySet<string>>(NOBODY);
  useEffect(() => {
    if (!board) return;
    const marks = new Map(
      board.columns.flatMap((column) => column.cards.map((card) => [card.id, markOf(card)] as const)),
    );
    const last = before.current;
    before.current = { project: board.project.id, marks };
    if (last?.project !== board.project.id) return;
    const now = performance.now();
    const changed = [...marks]
      .filter(
        ([id, mark]) => last.marks.get(id) !== mark && now - (own.current.get(id) ?? -FRESH_MS) >= FRESH_MS,
      )
      .map(([id]) => id);
    if (changed.length > 0) setFresh((already) => new Set([...already, ...changed]));
  }, [board, own]);
  useEffect(() => {
    if (fresh.size === 0) return;
    const timer = setTimeout(() => setFresh(NOBODY), FRESH_MS);
    return () => clearTimeout(timer);
  }, [fresh]);
  return fresh;
}
