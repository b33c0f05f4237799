// Deletes the row that it is in, after a question that names what is lost.
import { Button } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import { confirm } from './confirm.ts';

type DeleteButtonProps = {
  title: string;
  says: string;
  act?: string;
  busy: boolean;
  onDelete: () => void;
};

export function DeleteButton({ title, says, act = 'Delete', busy, onDelete }: DeleteButtonProps) {
  const ask = async (): Promise<void> => {
    if (await confirm({ title, says, act, tone: 'bad' })) onDelete();
  };
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      color="gray"
      leftSection={<Trash2 size={13} />}
      loading={busy}
      onClick={() => void ask()}
    >
      Delete
    </Button>
  );
}
