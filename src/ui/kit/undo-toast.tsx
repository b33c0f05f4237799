// A toast that offers to undo what was just done, with its button and `z`, for ten seconds.
import { Button } from '@mantine/core';
import { tellFor, untell } from '../client/toast.ts';
import { KeyHint } from './key-hint.tsx';
import { useKeys } from './keys.ts';

const UNDO_MS = 10_000;
let last = 0;

/** `undo` is called at most once. */
export function tellUndo(message: string, undo: () => void): void {
  const id = `undo-${(last += 1)}`;
  let done = false;
  const run = (): void => {
    if (done) return;
    done = true;
    void untell(id);
    undo();
  };
  tellFor(id, <UndoLine message={message} undo={run} />, UNDO_MS);
}

function UndoLine({ message, undo }: { message: string; undo: () => void }) {
  useKeys([{ keys: 'z', does: 'Undo', group: 'Just done', run: undo }]);
  return (
    <span style={{ display: 'flex', alignItems: 'center', gap: 12, justifyContent: 'space-between' }}>
      <span>{message}</span>
      <Button variant="default" size="compact-sm" rightSection={<KeyHint keys="z" />} onClick={undo}>
        Undo
      </Button>
    </span>
  );
}
