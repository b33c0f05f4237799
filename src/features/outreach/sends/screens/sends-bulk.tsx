// What is done to many letters: cancelled, kept back, asked again. What it begins goes on automatically (src/ui/shell/runs.ts). Where
// held letters are listed, their reasons are above them with how many each holds.
import { Button } from '@mantine/core';
import { call } from '../../../../ui/client/call.ts';
import { useAct } from '../../../../ui/client/hooks.ts';
import { staleAfter } from '../../../../ui/client/topics.ts';
import { ActButton } from '../../../../ui/kit/act-button.tsx';
import { confirm } from '../../../../ui/kit/confirm.ts';
import { many } from '../../../../ui/kit/numbers.ts';
import { ChosenCount, sureOfAll, type Chosen } from '../../../../ui/shell/runs-chosen.tsx';
import { start, type Plan } from '../../../../ui/shell/runs.ts';
import type { Send } from '../contract.ts';
import { HOLDS, type HoldReason } from '../letter/reasons.rules.ts';
import { isUnstarted, RESOLVED_AT_ONCE_MAX } from '../letter/send.rules.ts';
import { addressee, AGAIN, inWords, UNCERTAIN, whoLifts } from './words.ts';
import classes from './sends.module.css';

const LETTERS = ['letter', 'letters'] as const;

type SendsBulkProps = {
  chosen: Chosen<Send>;
  held: Send[];
  /** Uncertain letters are listed. */
  uncertain: boolean;
  show: (reason: HoldReason) => void;
};

const isOpen = ({ state }: Send): boolean => isUnstarted(state);
const isShut = ({ state }: Send): boolean => state === 'held';
const isUncertain = ({ state }: Send): boolean => state === 'uncertain';
const isFailed = ({ state, kind }: Send): boolean => state === 'failed' && kind !== 'answer';
const isKept = ({ state }: Send): boolean => state === 'review' || state === 'scheduled';

export function SendsBulk({ chosen, held, uncertain, show }: SendsBulkProps) {
  const { picked, clear } = chosen;
  const resolve = useAct('sends_resolve', {
    says: ({ settled, refused }, { outcome }) =>
      `${many(settled.length, ...LETTERS)} ${outcome === 'sent' ? 'marked as sent' : 'will be sent again'}.${
        refused.length > 0 ? ` ${many(refused.length, 'letter was', 'letters were')} already settled.` : ''
      }`,
  });
  const go = ({
    act,
    ...plan
  }: Pick<Plan<Send>, 'title' | 'only'> & {
    act: 'send_cancel' | 'send_recheck' | 'send_hold' | 'send_resend';
  }) => {
    void start({
      ...plan,
      of: LETTERS,
      records: picked,
      about: (send) => ({ id: send.id, name: addressee(send), to: `/sends/${send.id}` }),
      act: async ({ id }, gone) => {
        await call(act, { send: id }, gone);
        return null;
      },
      after: () => staleAfter('send_cancel'),
    });
    clear();
  };
  /** Those of them that it is for. */
  const which = (fits: (send: Send) => boolean): string => many(picked.filter(fits).length, ...LETTERS);
  const cancel = async (): Promise<void> => {
    const letters = which(isOpen);
    const one = letters === '1 letter';
    const yes = await confirm({
      title: one ? 'Cancel this letter?' : `Cancel ${letters}?`,
      says: one
        ? 'This letter will never be sent. To send the step, draft a new letter. This can’t be undone.'
        : 'These letters will never be sent. To send their steps, draft new letters. This can’t be undone.',
      act: one ? 'Cancel the letter' : `Cancel ${letters}`,
      tone: 'bad',
    });
    if (yes) go({ title: 'Cancel letters', only: isOpen, act: 'send_cancel' });
  };
  const ask = async (): Promise<void> => {
    const title = `Recheck ${which(isShut)}?`;
    if (await sureOfAll(chosen, { title, act: 'Recheck' }))
      go({ title: 'Recheck letters', only: isShut, act: 'send_recheck' });
  };
  const sendAgain = async (): Promise<void> => {
    if (await confirm(AGAIN.askMany(which(isFailed))))
      go({ title: AGAIN.act, only: isFailed, act: 'send_resend' });
  };
  const settle = async (outcome: 'sent' | 'not_sent'): Promise<void> => {
    const ids = picked.filter(isUncertain).map(({ id }) => id);
    const letters = which(isUncertain);
    if (!(await confirm(outcome === 'sent' ? UNCERTAIN.askSent(letters) : UNCERTAIN.askAgain(letters))))
      return;
    for (let at = 0; at < ids.length; at += RESOLVED_AT_ONCE_MAX)
      await resolve.mutateAsync({ sends: ids.slice(at, at + RESOLVED_AT_ONCE_MAX), outcome });
    clear();
  };
  const keep = async (): Promise<void> => {
    if (await sureOfAll(chosen, { title: `Hold ${which(isKept)}?`, act: 'Hold' }))
      go({ title: 'Hold letters', only: isKept, act: 'send_hold' });
  };
  if (picked.length === 0 && uncertain) return <p className={classes.about}>{UNCERTAIN.about}</p>;
  if (picked.length === 0) return held.length > 0 && <Reasons held={held} show={show} />;
  return (
    <div className={classes.bulk} role="region" aria-label="Selected letters">
      <ChosenCount chosen={chosen} />
      <ActButton
        variant="default"
        closed={picked.some(isShut) ? null : 'No selected letter is held.'}
        onClick={() => void ask()}
      >
        Recheck
      </ActButton>
      <ActButton
        variant="default"
        closed={picked.some(isKept) ? null : 'No selected letter is in review or scheduled.'}
        onClick={() => void keep()}
      >
        Hold
      </ActButton>
      {picked.some(isUncertain) && (
        <>
          <Button variant="default" loading={resolve.isPending} onClick={() => void settle('sent')}>
            {UNCERTAIN.sent}
          </Button>
          <Button
            variant="light"
            color="red"
            loading={resolve.isPending}
            onClick={() => void settle('not_sent')}
          >
            {UNCERTAIN.again}
          </Button>
        </>
      )}
      {picked.some(isFailed) && (
        <Button variant="default" onClick={() => void sendAgain()}>
          {AGAIN.act}
        </Button>
      )}
      <ActButton
        variant="light"
        color="red"
        closed={picked.some(isOpen) ? null : 'No selected letter can be canceled.'}
        onClick={() => void cancel()}
      >
        Cancel
      </ActButton>
      <Button variant="subtle" color="gray" onClick={clear}>
        Clear
      </Button>
    </div>
  );
}

/** One cause often holds many letters: most first. */
function Reasons({ held, show }: { held: Send[]; show: (reason: HoldReason) => void }) {
  const by = Map.groupBy(
    held.flatMap(({ hold }) => (hold ? [hold] : [])),
    ({ reason }) => reason,
  );
  const groups = [...by].toSorted(([, a], [, b]) => b.length - a.length);
  return (
    <ul className={classes.reasons} aria-label="Hold reasons">
      {groups.map(([reason, of]) => (
        <li key={reason}>
          <button type="button" onClick={() => show(reason)}>
            <strong>
              {inWords(reason)} <span className={classes.many}>{of.length}</span>
            </strong>
            <span>
              {HOLDS[reason].fix} {whoLifts(HOLDS[reason].who)}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
