// The board of deals as a screen shows it: the product's answer in the shape that boards share, moves under way laid over it,
// and the way to move a card. A refused move goes back to where the card was, with the product's sentence.
import { useMemo, useRef } from 'react';
import { known, useAct, useRead } from '../../../../ui/client/hooks.ts';
import type { Answer } from '../../../../ui/client/call.ts';
import { withCard, type Spot } from '../../../../ui/board/place.ts';
import { tellUndo } from '../../../../ui/kit/undo-toast.tsx';
import { useMoves } from '../../../../ui/board/use-board.ts';
import type { ListedDeal } from '../contract.ts';
import type { Column } from '../pipeline.contract.ts';
import type { DealFilters } from './filters.ts';

/** A deal as boards know cards: the column it is in is its `status`. */
export type DealCard = ListedDeal & { status: string };
export type DealColumn = Omit<Column, 'deals'> & { status: string; cards: DealCard[] };
export type DealBoard = { revision: number; columns: DealColumn[] };

const asCard = (deal: ListedDeal): DealCard => ({ ...deal, status: deal.stage });

const shaped = ({ revision, columns }: Answer<'pipeline_board'>): DealBoard => ({
  revision,
  columns: columns.map(({ deals, ...column }) => ({
    ...column,
    status: column.stage.key,
    cards: deals.map(asCard),
  })),
});

const backToAnswer = ({ revision, columns }: DealBoard): Answer<'pipeline_board'> => ({
  revision,
  columns: columns.map(({ cards, ...column }) => ({
    ...column,
    deals: cards.map((card) => ({ ...card, stage: card.status })),
  })),
});

const atTheEnd = (): boolean => false;

export function useDealBoard(filters: DealFilters, enabled: boolean) {
  const read = useRead('pipeline_board', filters, { keep: true, enabled });
  const act = useAct('deal_update', {
    onSuccess: ({ deal }) => {
      const answer = known.get('pipeline_board', filters);
      if (!answer) return;
      const board = withCard<string, DealCard, DealBoard>(shaped(answer), asCard(deal));
      known.set('pipeline_board', filters, backToAnswer(board));
    },
  });
  const data = useMemo(() => read.data && shaped(read.data), [read.data]);
  const { board, lay, lift } = useMoves<string, DealCard, DealBoard>(data, atTheEnd);
  // The revision that the last act left, or will: the next one on the same card waits for it, and is no conflict with it, nor with
  // a reading that was begun before it and comes after it.
  const turns = useRef(new Map<string, Promise<number>>());
  const revisionOf = async ({ id, revision }: DealCard): Promise<number> =>
    Math.max(revision, (await turns.current.get(id)) ?? 0);
  /** Whether it moved. */
  const put = async (card: DealCard, to: Spot<string>): Promise<boolean> => {
    if (card.status === to.status && to.position === undefined) return false;
    lay(card.id, to);
    const { status: stage, ...place } = to;
    let done = false;
    const turn = revisionOf(card).then(async (revision) => {
      await known.hold('pipeline_board', filters);
      const moved = await act.mutateAsync({ deal: card.id, revision, stage, ...place }).catch(() => null);
      done = moved !== null;
      return moved?.deal.revision ?? revision;
    });
    turns.current.set(card.id, turn);
    await turn;
    // A later move of the same card is laid over the board until it is over.
    if (turns.current.get(card.id) !== turn) return false;
    lift(card.id);
    return done;
  };
  /** Said aloud, and undone with one press. */
  const move = async (card: DealCard, to: Spot<string>): Promise<void> => {
    const moved = await put(card, to);
    if (!moved || to.status === card.status) return;
    const title = data?.columns.find(({ status }) => status === to.status)?.stage.title ?? to.status;
    tellUndo(
      `${card.name} moved to ${title}.`,
      () => void put({ ...card, status: to.status }, { status: card.status }),
    );
  };
  return { read, board, move, revisionOf };
}
