// An action the agent proposed, with its decision.
import { useState } from 'react';
import { useRead } from '../../../../ui/client/hooks.ts';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Bones } from '../../../../ui/kit/states.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import { ActAnswer, ActShown, Decide, STATES } from '../../../work/approvals/screens/shared.ts';
import { titleOf } from '../../../work/approvals/words.rules.ts';
import { MarkdownText } from '../../../../ui/kit/markdown-text.tsx';
import { TitleText } from '../../../../ui/kit/title-text.tsx';
import classes from './use.module.css';

export function Proposal({ approval_id, sentence }: { approval_id: string; sentence: string | null }) {
  const { data, error } = useRead('approval_get', { approval: approval_id });
  const [answer, setAnswer] = useState<Record<string, unknown> | null>(null);
  // Whoever could not do it themselves is shown no more than that it waits.
  if (error) return <p className={classes.sentence}>{sentence}</p>;
  if (!data) return <Bones lines={2} />;
  const { approval } = data;
  const { state, act, decided_by, decided_at, note } = approval;
  return (
    <section className={classes.proposal} data-state={state} aria-label={`Proposed: ${titleOf(approval)}`}>
      <h3>
        <TitleText>{titleOf(approval)}</TitleText>
        <Pill tone={STATES[state].tone}>{STATES[state].word}</Pill>
      </h3>
      {act && <ActShown act={act} pending={state === 'pending'} />}
      {state === 'pending' ? (
        <Decide approval={approval} ready keys={false} decided={(_, given) => setAnswer(given)} />
      ) : (
        <p className={classes.decided}>
          {STATES[state].word}
          {decided_by && ` by ${decided_by.name}`} {decided_at && <Time at={decided_at} />}
        </p>
      )}
      {note !== null && <MarkdownText text={note} />}
      {answer && <ActAnswer answer={answer} steps={act?.steps?.length ?? null} />}
    </section>
  );
}
