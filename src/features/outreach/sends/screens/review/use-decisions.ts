// Decisions on letters, shown before they are known: the letter leaves the queue at once, and comes back with the product's
// sentence where it is refused.
import { useRef, useState } from 'react';
import type { ApiError } from '../../../../../ui/client/call.ts';
import { useAct } from '../../../../../ui/client/hooks.ts';
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
  gone: (sends: Send[]) => void;
};

export function useDecisions({ refused }: { refused: (send: Pick<Send, 'id'>) => void }): Decisions {
  const [over, setOver] = useState<ReadonlyMap<string, number>>(new Map());
  const [refusals, setRefusals] = useState<ReadonlyMap<string, ApiError>>(new Map());
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const names = useRef(new Map<string, string>());

  const gone = (sends: Send[]): void =>
    setOver((before) => new Map([...before, ...sends.map(({ id, revision }) => [id, revision] as const)]));
  const back = (error: ApiError, { send: id }: { send: string }): void => {
    setOver((before) => new Map([...before].filter(([one]) => one !== id)));
    setRefusals((before) => new Map([...before, [id, error]]));
    refused({ id });
  };
  const done =
    (did: string) =>
    (_: unknown, { send }: { send: string }): string =>
      `Letter to ${names.current.get(send) ?? 'them'} ${did}.`;
  const approve = useAct('send_approve', { quiet: true, onError: back, says: done('approved') });
  const giveBack = useAct('send_return', { quiet: true, onError: back, says: done('returned') });
  const reject = useAct('send_reject', { quiet: true, onError: back, says: done('rejected') });

  return {
    isOver: ({ id, revision }) => over.get(id) === revision,
    refusals,
    seen,
    gone,
    read: (id) => setSeen((before) => (before.has(id) ? before : new Set([...before, id]))),
    decide: (send, decision) => {
      names.current.set(send.id, addressee(send));
      gone([send]);
      setRefusals((before) => new Map([...before].filter(([id]) => id !== send.id)));
      if (decision.kind === 'approve') approve.mutate({ send: send.id, fingerprint: send.fingerprint });
      else if (decision.kind === 'return') giveBack.mutate({ send: send.id, note: decision.note });
      else reject.mutate({ send: send.id, ...(decision.note ? { note: decision.note } : {}) });
    },
  };
}
