// Many letters approved at once: all of them or none, after it was said to whom they go and how many were not opened.
import { Button } from '@mantine/core';
import { Check, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import type { ApiError } from '../../../../../ui/client/call.ts';
import { useAct } from '../../../../../ui/client/hooks.ts';
import { ActButton } from '../../../../../ui/kit/act-button.tsx';
import { confirm } from '../../../../../ui/kit/confirm.ts';
import { KeyHint } from '../../../../../ui/kit/key-hint.tsx';
import { useKeys } from '../../../../../ui/kit/keys.ts';
import type { Send } from '../../contract.ts';
import type { LetterSelection } from './use-selection.ts';
import { addressee } from '../words.ts';
import classes from '../../../../../ui/kit/queue.module.css';

const NAMED = 8;
const letters = (count: number): string => (count === 1 ? '1 letter' : `${count} letters`);

function toWhom(chosen: Send[]): string {
  const named = chosen.slice(0, NAMED).map((send) => `${addressee(send)} (${send.to})`);
  const more = chosen.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

type ReviewBulkProps = {
  selection: LetterSelection;
  seen: ReadonlySet<string>;
  approved: (sends: Send[]) => void;
};

export function ReviewBulk({ selection, seen, approved }: ReviewBulkProps) {
  const [refusal, setRefusal] = useState<ApiError | null>(null);
  const act = useAct('sends_approve', {
    quiet: true,
    onSuccess: () => {
      approved(chosen);
      selection.clear();
      setRefusal(null);
    },
    onError: setRefusal,
  });
  const { chosen, changed } = selection;
  const approve = async (): Promise<void> => {
    if (chosen.length === 0 || changed.length > 0 || act.isPending) return;
    const unread = chosen.filter(({ id }) => !seen.has(id)).length;
    const yes = await confirm({
      title: `Approve ${letters(chosen.length)}?`,
      says: (
        <>
          Recipients: {toWhom(chosen)}.
          {unread > 0 && ` You haven’t opened ${unread === chosen.length ? 'any' : unread} of them here.`}
        </>
      ),
      act: `Approve ${letters(chosen.length)}`,
    });
    if (yes)
      act.mutate({ sends: chosen.map(({ id, fingerprint }) => ({ id, fingerprint })), undoable: true });
  };
  useKeys([{ keys: 'A', does: 'Approve selected', group: 'Review', run: () => void approve() }]);
  if (chosen.length === 0)
    return (
      <div className={classes.bulk}>
        <span>
          <span className={classes.keys}>Press x to select</span>
        </span>
        <Button size="compact-sm" variant="subtle" color="gray" onClick={selection.all}>
          Select all shown
        </Button>
      </div>
    );
  return (
    <div className={classes.bulk} data-on role="region" aria-label="Selected letters">
      <span>{chosen.length} selected</span>
      <Button size="compact-sm" variant="subtle" color="gray" onClick={selection.clear}>
        Clear
      </Button>
      <ActButton
        decides
        size="compact-sm"
        leftSection={<Check size={14} />}
        rightSection={<KeyHint keys="A" />}
        loading={act.isPending}
        disabled={changed.length > 0}
        onClick={() => void approve()}
      >
        Approve {chosen.length}
      </ActButton>
      {(refusal !== null || changed.length > 0) && (
        <p className={classes.refused} role="alert">
          <TriangleAlert size={14} aria-hidden />
          <span>
            {changed.length > 0 ? (
              <>
                {changed.length === 1
                  ? `The letter to ${changed.map(addressee).join()} has`
                  : `${letters(changed.length)} have`}{' '}
                changed or left the queue since you selected {changed.length === 1 ? 'it' : 'them'}. Nothing
                was approved.{' '}
                <button
                  type="button"
                  className={classes.textButton}
                  onClick={() => {
                    selection.drop(changed.map(({ id }) => id));
                    setRefusal(null);
                  }}
                >
                  Deselect {changed.length === 1 ? 'it' : 'them'}
                </button>
              </>
            ) : (
              refusal?.sentence
            )}
          </span>
        </p>
      )}
    </div>
  );
}
