// The decision itself: approve, return or reject, by button or by one key, the latter two with a note. A note that was begun
// stays with its approval while one looks at another. Approving an item can be undone for ten seconds; nothing else can.
import { Check, CornerUpLeft, Lock, X } from 'lucide-react';
import { useState } from 'react';
import { useAct } from '../../../../ui/client/hooks.ts';
import { ActButton } from '../../../../ui/kit/act-button.tsx';
import { KeyHint } from '../../../../ui/kit/key-hint.tsx';
import { useKeys } from '../../../../ui/kit/keys.ts';
import { MarkdownEditor } from '../../../../ui/kit/markdown-text.tsx';
import type { Approval } from '../contract.ts';
import { type Decision, YOU_WROTE_THIS } from '../rules.ts';
import { calledIn } from '../words.rules.ts';
import { FinishOwn } from './finish-own.tsx';
import { useUndoApproval } from './use-undo-approval.ts';
import classes from '../../../../ui/kit/decide.module.css';

type Noted = Exclude<Decision, 'approve'>;
const drafts = new Map<string, { decision: Noted; text: string }>();

type DecideProps = {
  approval: Approval;
  /** What is decided on is on the screen; no one signs for what they could not read. */
  ready: boolean;
  keys: boolean;
  /** `answer` is what a performed act answered; it is given this once. */
  decided?: (approval: Approval, answer: Record<string, unknown> | null) => void;
  /** Offers to undo, where the screen outlives this approval. */
  offerUndo?: (says: string, approvals: string[]) => void;
  /** Puts the focus back where one came from: what was begun here is given up. */
  leave?: () => void;
};

const ACT = 'Approving runs this now with your permissions. You can’t undo it.';
const LOADING = 'The item is still loading.';

export function Decide({ approval, ready, keys, decided, offerUndo, leave }: DecideProps) {
  const own = useUndoApproval();
  const offer = offerUndo ?? own;
  const [draft, setDraft] = useState(() => drafts.get(approval.id) ?? null);
  const { revision } = approval.subject;
  const seen = approval.act?.seen ?? undefined;
  const called = calledIn(approval);
  const isAct = approval.act !== null;
  const undoable = approval.kind === 'work_review';
  const act = useAct('approval_decide', {
    // What an act answered is where it was decided on, and says that it was done.
    says: (_, { decision }) =>
      decision === 'approve' && (isAct || undoable)
        ? null
        : `${called} is ${{ approve: 'approved', return: `returned to ${approval.requested_by.name}`, reject: 'rejected' }[decision]}.`,
    onSuccess: ({ approval: now, answer }, { decision }) => {
      if (decision === 'approve' && undoable) offer(`${called} approved.`, [approval.id]);
      drafts.delete(approval.id);
      setDraft(null);
      decided?.(now, answer);
    },
  });
  const closed = approval.can_decide ? (ready ? null : LOADING) : (approval.why_not ?? LOADING);
  const write = (next: { decision: Noted; text: string } | null): void => {
    if (next) drafts.set(approval.id, next);
    else drafts.delete(approval.id);
    setDraft(next);
  };
  const begin = (decision: Noted): void => {
    if (closed === null) write({ decision, text: draft?.text ?? '' });
  };
  const send = (decision: Decision, note?: string): void => {
    if (closed === null && !act.isPending)
      act.mutate({
        approval: approval.id,
        revision,
        decision,
        ...(seen && { seen }),
        ...(note ? { note } : {}),
      });
  };
  const once = (run: () => void) => (event: KeyboardEvent) => (event.repeat ? undefined : run());
  useKeys(
    [
      { keys: 'a', does: 'Approve', group: 'Decision', run: once(() => send('approve')) },
      { keys: 'r', does: 'Return with a note', group: 'Decision', run: once(() => begin('return')) },
      { keys: 'd', does: 'Reject with a note', group: 'Decision', run: once(() => begin('reject')) },
    ],
    keys && approval.state === 'pending',
  );

  if (draft && closed === null)
    return (
      <div className={classes.decide}>
        <MarkdownEditor
          key={draft.decision}
          focus
          label={
            draft.decision === 'return'
              ? `What’s missing from ${called}?`
              : `Why are you rejecting ${called}?`
          }
          placeholder={
            draft.decision === 'return'
              ? `What’s missing? ${approval.requested_by.name} will read your note and continue.`
              : isAct
                ? `Why? Nothing runs, and ${approval.requested_by.name} sees your note.`
                : 'Why? Your note stays with the canceled item.'
          }
          max={5_000}
          value={draft.text}
          onChange={(text) => write({ ...draft, text })}
          act={draft.decision === 'return' ? 'Return' : 'Reject'}
          {...(draft.decision === 'reject' ? { tone: 'red' as const } : {})}
          busy={act.isPending}
          onAct={() => send(draft.decision, draft.text.trim())}
          onCancel={() => {
            write(null);
            leave?.();
          }}
        />
      </div>
    );
  const hint = (letter: string) => (keys && closed === null ? <KeyHint keys={letter} /> : undefined);
  return (
    <div className={classes.decide}>
      <div className={classes.buttons}>
        <ActButton
          decides
          closed={closed}
          loading={act.isPending}
          leftSection={<Check size={15} />}
          rightSection={hint('a')}
          onClick={() => send('approve')}
        >
          Approve
        </ActButton>
        <ActButton
          closed={closed}
          variant="default"
          leftSection={<CornerUpLeft size={15} />}
          rightSection={hint('r')}
          onClick={() => begin('return')}
        >
          Return
        </ActButton>
        <ActButton
          closed={closed}
          variant="default"
          leftSection={<X size={15} />}
          rightSection={hint('d')}
          onClick={() => begin('reject')}
        >
          Reject
        </ActButton>
        {approval.why_not === YOU_WROTE_THIS && (
          <FinishOwn approval={approval} finished={() => decided?.(approval, null)} />
        )}
      </div>
      <p className={classes.says} data-closed={closed !== null || undefined}>
        {closed !== null && <Lock size={13} aria-hidden />}
        <span>
          {closed ??
            (isAct
              ? ACT
              : undoable
                ? 'You can undo an approval for 10 seconds.'
                : 'You can’t undo a decision.')}
        </span>
      </p>
    </div>
  );
}
