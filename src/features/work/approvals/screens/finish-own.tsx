// What the author of an item in review can do, who never decides it: take it out of review and finish it themselves.
import { Button } from '@mantine/core';
import { Undo2 } from 'lucide-react';
import { useAct, useRead } from '../../../../ui/client/hooks.ts';
import type { Approval } from '../contract.ts';

/** `finished`: it waits for no one now. */
export function FinishOwn({ approval, finished }: { approval: Approval; finished: () => void }) {
  const { id: item_id, key } = approval.subject;
  const item = useRead('item_get', { item_id }).data?.item;
  const move = useAct('item_move');
  // An item that needs a review before it is done would be in review again.
  const done = item?.needs_review === false;
  const take = async (): Promise<void> => {
    await move.mutateAsync({ item_id, status: 'in_progress' });
    if (done) await move.mutateAsync({ item_id, status: 'done' });
    finished();
  };
  return (
    <Button
      variant="default"
      leftSection={<Undo2 size={15} />}
      loading={move.isPending}
      disabled={item === undefined}
      aria-description={key}
      onClick={() => void take().catch(() => undefined)}
    >
      {done ? 'Take it out of review and finish it' : 'Take it out of review'}
    </Button>
  );
}
