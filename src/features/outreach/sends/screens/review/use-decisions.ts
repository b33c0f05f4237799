// Decisions on letters, shown before they are known: the letter leaves the queue at once, and comes back with the product's
// sentence where it is refused.
import { useRef, useState } from 'react';
import type { ApiError } from '../../../../../ui/client/call.ts';
import { useAct } from '../../../../../ui/client/hooks.ts';
import { tellRefused } from '../../../../../ui/client/toast.ts';
import { staleAfter } from '../../../../../ui/client/topics.ts';
import { many } from '../../../../../ui/kit/numbers.ts';
import { tellUndo } from '../../../../../ui/kit/undo-toast.tsx';
import type { Send } from '../../contract.ts';
import { addressee } from '../words.ts';

export type Decision =
  | { kind: 'approve' }
  | { kind: 'return'; note: string }
  | { kind: 'reject'; note: string };

export type Decisions = {
  /** Decided here, at this revision: gone from what waits before the list is read again. */
  isOver: (send: Send) => boolean;
  refusals: ReadonlyMap<string, ApiError>;
  /** Letters that were opened here. */
  seen: ReadonlySet<string>;
  read: (id: string) => void;
  decide: (send: Send, decision: Decision) => void;
  /** These were approved together. */
  approved: (sends: Send[]) => void;
};

/** `undone`: this letter waits in review again, because its approval was undone. */
export function useDecisions({ undone }: { undone: (id: string) => void }): Decisions {
  const [over, setOver] = useState<ReadonlyMap<string, number>>(new Map());
  const [refusals, setRefusals] = useState<ReadonlyMap<string, ApiError>>(new Map());
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const names = useRef(new Map<string, string>());

  const gone = (sends: Send[]): void =>
    setOver((before) => new Map([...before, ...sends.map(({ id, revision }) => [id, revision] as const)]));
  const back = (error: ApiError, { send: id }: { send: string }): void => {
    setOver((before) => new Map([...before].filter(([one]) => one !== id)));
    setRefusals((before) => new Map([...before, [id, error]]));
  };
  const done =
    (did: string) =>
    (_: unknown, { send }: { send: string }): string =>
      `Letter to ${names.current.get(send) ?? 'them'} ${did}.`;
  const unapprove = useAct('sends_unapprove', {
    onSuccess: ({ undone: [first], refused: [no] }) => {
      if (no) tellRefused(no.sentence);
      // Once the queue has it again.
      if (first) void staleAfter('sends_unapprove').then(() => undone(first.id));
    },
  });
  const undoOf = (ids: string[]) => () => unapprove.mutate({ sends: ids });
  const approve = useAct('send_approve', {
    onError: back,
    onSuccess: (_, { send }) => tellUndo(done('approved')(_, { send }), undoOf([send])),
  });
  const giveBack = useAct('send_return', { onError: back, says: done('returned') });
  const reject = useAct('send_reject', { onError: back, says: done('rejected') });

  return {
    isOver: ({ id, revision }) => over.get(id) === revision,
    refusals,
    seen,
    approved: (sends) => {
      gone(sends);
      tellUndo(`${many(sends.length, 'letter')} approved.`, undoOf(sends.map(({ id }) => id)));
    },
    read: (id) => setSeen((before) => (before.has(id) ? before : new Set([...before, id]))),
    decide: (send, decision) => {
      names.current.set(send.id, addressee(send));
      gone([send]);
      setRefusals((before) => new Map([...before].filter(([id]) => id !== send.id)));
      if (decision.kind === 'approve')
        approve.mutate({ send: send.id, fingerprint: send.fingerprint, undoable: true });
      else if (decision.kind === 'return') giveBack.mutate({ send: send.id, note: decision.note });
      else reject.mutate({ send: send.id, ...(decision.note ? { note: decision.note } : {}) });
    },
  };
}
