// Dismisses many emails in quarantine: the selected ones, or all that match the filter.
import { Button } from '@mantine/core';
import { useAct } from '../../../../ui/client/hooks.ts';
import { confirm } from '../../../../ui/kit/confirm.ts';
import { many } from '../../../../ui/kit/numbers.ts';
import { ChosenCount, type Chosen, howMany } from '../../../../ui/shell/runs-chosen.tsx';
import type { Quarantined } from '../contract.ts';
import type { QuarantineFilter } from '../quarantine-rules.contract.ts';
import classes from './quarantine.module.css';

type BulkProps = { chosen: Chosen<Quarantined>; filter: QuarantineFilter };

/** More than this are never named one by one. */
const NAMED_MOST = 1_000;

export function BulkDismiss({ chosen, filter }: BulkProps) {
  const { picked, all, clear } = chosen;
  const dismiss = useAct('quarantine_dismiss_many', {
    says: ({ dismissed }) => `${many(dismissed, 'email', 'emails')} dismissed`,
    onSuccess: clear,
  });
  if (picked.length === 0) return null;
  const ask = async (): Promise<void> => {
    const yes = await confirm({
      title: `Dismiss ${howMany(chosen, ['email', 'emails'])}?`,
      says: 'These emails leave quarantine. Their text is deleted after 30 days. No one is notified.',
      act: 'Dismiss',
      tone: 'bad',
    });
    if (!yes) return;
    // What came in after the newest that was seen stays.
    const until = picked.reduce((last, { received_at }) => (received_at > last ? received_at : last), '');
    if (all || picked.length > NAMED_MOST) dismiss.mutate({ all: true, ...filter, until });
    else dismiss.mutate({ mails: picked.map(({ id }) => id) });
  };
  return (
    <div className={classes.bulk} role="region" aria-label="Selected emails">
      <ChosenCount chosen={chosen} />
      <Button size="compact-sm" variant="subtle" color="gray" onClick={clear}>
        Clear selection
      </Button>
      <Button size="compact-sm" color="red" loading={dismiss.isPending} onClick={() => void ask()}>
        Dismiss
      </Button>
    </div>
  );
}
