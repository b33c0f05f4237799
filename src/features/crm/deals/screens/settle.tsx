// Closing a deal and opening it again. Won is done at once and can be undone from its toast; lost and opened again ask for the
// reason that the history keeps.
import { Modal, Textarea } from '@mantine/core';
import { useCallback, useState, type ReactNode } from 'react';
import { useAct } from '../../../../ui/client/hooks.ts';
import { tellUndo } from '../../../../ui/kit/undo-toast.tsx';
import { FormEnd, FormStack, useActForm } from '../../../../ui/kit/form.tsx';
import type { DealState } from '../contract.ts';

/** The reason that the history keeps. */
const UNDONE = 'Closed by mistake';

type Closing = { id: string; name: string; revision: number };
export type Settle = (deal: Closing, to: DealState) => void;

/** The act, and the question that it may ask, to be put on the page. */
export function useSettle(): { settle: Settle; question: ReactNode } {
  const [asked, setAsked] = useState<{ deal: Closing; to: 'lost' | 'open' } | null>(null);
  const undo = useAct('deal_state', { says: ({ deal }) => `${deal.name} reopened.` });
  const { mutate } = useAct('deal_state', {
    onSuccess: ({ deal: { id, name, revision } }) =>
      tellUndo(`${name} closed as won.`, () =>
        undo.mutate({ deal: id, revision, state: 'open', reason: UNDONE }),
      ),
  });
  const settle = useCallback<Settle>(
    (deal, to) => {
      if (to === 'won') mutate({ deal: deal.id, revision: deal.revision, state: 'won' });
      else setAsked({ deal, to });
    },
    [mutate],
  );
  const question = asked && <Reason {...asked} close={() => setAsked(null)} />;
  return { settle, question };
}

const WORDS = {
  lost: {
    title: (name: string) => `Close ${name} as lost`,
    label: 'Why was it lost?',
    says: 'Metrics count lost deals by this reason.',
    act: 'Close as lost',
    done: (name: string) => `${name} closed as lost.`,
  },
  open: {
    title: (name: string) => `Reopen ${name}`,
    label: 'Why reopen it?',
    says: 'Saved in the deal’s history.',
    act: 'Reopen',
    done: (name: string) => `${name} reopened.`,
  },
} as const;

function Reason({ deal, to, close }: { deal: Closing; to: 'lost' | 'open'; close: () => void }) {
  const words = WORDS[to];
  const field = to === 'lost' ? 'lost_reason' : 'reason';
  const act = useAct('deal_state', { quiet: true, says: () => words.done(deal.name) });
  const form = useActForm({ lost_reason: '', reason: '' }, async (values) => {
    await act.mutateAsync({
      deal: deal.id,
      revision: deal.revision,
      state: to,
      ...(values[field].trim() && { [field]: values[field] }),
    });
    close();
  });
  return (
    <Modal opened onClose={close} title={words.title(deal.name)} size={480}>
      <FormStack form={form} label="Reason">
        <Textarea
          label={words.label}
          description={words.says}
          data-autofocus
          required
          autosize
          minRows={2}
          maxRows={6}
          maxLength={500}
          {...form.text(field)}
        />
        <FormEnd form={form} act={words.act} cancel={close} />
      </FormStack>
    </Modal>
  );
}
