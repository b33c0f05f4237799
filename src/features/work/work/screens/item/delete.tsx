// Deleting an item, after a question that names what goes with it.
import { Button } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import { useAct } from '../../../../../ui/client/hooks.ts';
import { confirm } from '../../../../../ui/kit/confirm.ts';
import type { Item } from '../../items.contract.ts';

export function DeleteItem({ item, gone }: { item: Item; gone: () => void }) {
  const remove = useAct('item_delete', { says: `${item.key} deleted.`, onSuccess: gone });
  const ask = async (): Promise<void> => {
    const yes = await confirm({
      title: `Delete ${item.key}?`,
      says: `“${item.title}” is deleted with its comments and history, for everyone. This can’t be undone.${item.approval_id ? ' Its pending approval is withdrawn.' : ''}`,
      act: `Delete ${item.key}`,
      tone: 'bad',
    });
    if (yes) remove.mutate({ item_id: item.id });
  };
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-sm"
      style={{ alignSelf: 'flex-start', marginTop: 8, marginLeft: -12 }}
      leftSection={<Trash2 size={14} />}
      loading={remove.isPending}
      onClick={() => void ask()}
    >
      Delete
    </Button>
  );
}
