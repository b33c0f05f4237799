// Dragging cards with the pointer, loaded once a board exists. What is dragged over is marked on the elements themselves, so
// that nothing is rendered while the pointer moves; the style sheet draws the line and the column.
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine';
import {
  draggable,
  dropTargetForElements,
  monitorForElements,
} from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { attachClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge/attach-closest-edge';
import { extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge/extract-closest-edge';

type End = () => void;

/** Where a card was let go: over another card's edge, or over a column as such. */
export type Drop = { id: string; status: string; over: { id: string; edge: 'top' | 'bottom' } | null };

export function dragCard(element: HTMLElement, id: string, status: string): End {
  const clear = (): void => void delete element.dataset['edge'];
  return combine(
    draggable({
      element,
      getInitialData: () => ({ card: id }),
      onDragStart: () => (element.dataset['dragged'] = ''),
      onDrop: () => void delete element.dataset['dragged'],
    }),
    dropTargetForElements({
      element,
      canDrop: ({ source }) => typeof source.data['card'] === 'string' && source.data['card'] !== id,
      getData: ({ input }) =>
        attachClosestEdge({ card: id, status }, { element, input, allowedEdges: ['top', 'bottom'] }),
      onDrag: ({ self }) => (element.dataset['edge'] = extractClosestEdge(self.data) ?? ''),
      onDragLeave: clear,
      onDrop: clear,
    }),
  );
}

export function dropColumn(element: HTMLElement, status: string): End {
  const clear = (): void => void delete element.dataset['over'];
  return dropTargetForElements({
    element,
    canDrop: ({ source }) => typeof source.data['card'] === 'string',
    getData: () => ({ status }),
    onDragEnter: () => (element.dataset['over'] = ''),
    onDragLeave: clear,
    onDrop: clear,
  });
}

export function watchDrops(dropped: (drop: Drop) => void): End {
  return monitorForElements({
    canMonitor: ({ source }) => typeof source.data['card'] === 'string',
    onDrop: ({ source, location }) => {
      const target = location.current.dropTargets[0];
      if (!target) return;
      const { card, status } = target.data;
      const edge = extractClosestEdge(target.data) === 'bottom' ? 'bottom' : 'top';
      const over = typeof card === 'string' ? ({ id: card, edge } as const) : null;
      dropped({ id: String(source.data['card']), status: String(status), over });
    },
  });
}
