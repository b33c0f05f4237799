// One turn: message, reply and tool calls in order, how it ended, and the next step after a failure. All of it is shown as
// text.
import { Button } from '@mantine/core';
import { CircleAlert, CircleSlash, Unplug } from 'lucide-react';
import { Mark } from '../../../../ui/kit/principal.tsx';
import { MarkdownText } from '../../../../ui/kit/markdown-text.tsx';
import { TitleText, unordered } from '../../../../ui/kit/title-text.tsx';
import type { ShownTurn } from '../contract.ts';
import { goesOn, type LiveTurn, partsOf } from '../turn/live.rules.ts';
import { NextStep } from './next-step.tsx';
import { UseShown } from './use.tsx';
import classes from './chat.module.css';

type TurnProps = {
  turn: ShownTurn | LiveTurn;
  /** Nothing came after it. */
  newest: boolean;
  send: (message: string) => void;
};

export const Message = ({ text }: { text: string }) => (
  <div className={classes.mine}>
    <span className="unseen">You: </span>
    {unordered(text)}
  </div>
);

export function TurnShown({ turn, newest, send }: TurnProps) {
  const { agent, message, state } = turn;
  const parts = partsOf(turn);
  return (
    <article className={classes.turn} aria-label={`Turn by ${agent}`}>
      <Message text={message} />
      <div className={classes.theirs}>
        <p className={classes.who}>
          <Mark of={{ kind: 'agent', id: agent, name: agent }} size={18} />
          <TitleText>{agent}</TitleText>
          <span className={classes.model}>{turn.model}</span>
        </p>
        {parts.map((part, at) =>
          part.kind === 'text' ? (
            <MarkdownText key={`text ${at}`} text={part.text} />
          ) : (
            <UseShown key={`use ${part.place}`} use={part.use} runs={state === 'running'} />
          ),
        )}
        {state === 'running' ? (
          <p className={classes.thinking} role="status">
            <span aria-hidden />
            {parts.length === 0 ? 'Thinking…' : 'Working…'}
          </p>
        ) : (
          <Ended turn={turn} newest={newest} send={send} />
        )}
      </div>
    </article>
  );
}

const ICONS = {
  failed: CircleAlert,
  stopped: CircleSlash,
  stalled: Unplug,
  done: CircleAlert,
  running: CircleAlert,
};

function Ended({ turn, newest, send }: TurnProps) {
  const { state, sentence, message } = turn;
  if (state === 'done' || sentence === null) return null;
  const Icon = ICONS[state];
  const on = goesOn(turn);
  return (
    <div className={classes.ended} data-state={state} role="status">
      <p>
        <Icon size={15} aria-hidden />
        <span>
          {sentence}
          <NextStep sentence={sentence} />
        </span>
      </p>
      {newest && (
        <Button variant="default" size="compact-sm" onClick={() => send(on ? 'Continue' : message)}>
          {on ? 'Continue' : 'Try again'}
        </Button>
      )}
    </div>
  );
}
