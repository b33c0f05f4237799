// One tool call: title and outcome, with folded input and output. A refusal shows its sentence; a proposed action is decided
// here.
import { Check, CircleSlash, LoaderCircle, Stamp, Unplug } from 'lucide-react';
import { Readable } from '../../../work/approvals/screens/shared.ts';
import { unordered } from '../../../../ui/kit/title-text.tsx';
import type { Used } from '../../../inbox/threads/chat.contract.ts';
import { Proposal } from './proposal.tsx';
import classes from './use.module.css';

const STANDS = {
  running: { word: 'running', icon: LoaderCircle },
  done: { word: 'done', icon: Check },
  refused: { word: 'refused', icon: CircleSlash },
  pending: { word: 'proposed', icon: Stamp },
  left: { word: 'interrupted', icon: Unplug },
};

/** `runs`: the turn does. */
export function UseShown({ use, runs }: { use: Used; runs: boolean }) {
  const { title, name, outcome, sentence, result, approval_id } = use;
  const stands = outcome === 'running' && !runs ? 'left' : outcome;
  const { word, icon: Icon } = STANDS[stands];
  const given = use.arguments;
  return (
    <div className={classes.use} data-stands={stands}>
      <details>
        <summary>
          <Icon size={14} aria-hidden className={classes.icon} />
          <span className={classes.title}>{unordered(title)}</span>
          <span className={classes.word}>{word}</span>
        </summary>
        <div className={classes.inside}>
          <p className={classes.name}>
            <code>{name}</code>
          </p>
          {given === null ? (
            <p className={classes.quiet}>The input is too long to show, or was deleted after one month.</p>
          ) : Object.keys(given).length > 0 ? (
            <section aria-label="Input">
              <h3>Input</h3>
              <Readable value={given} />
            </section>
          ) : null}
          {result !== null && (
            <section aria-label="Output">
              <h3>Output</h3>
              <Answered text={result} />
            </section>
          )}
        </div>
      </details>
      {stands === 'refused' && sentence !== null && <p className={classes.sentence}>{sentence}</p>}
      {approval_id !== null && <Proposal approval_id={approval_id} sentence={sentence} />}
    </div>
  );
}

/** JSON where it is whole, else as it was written. */
function Answered({ text }: { text: string }) {
  let value: unknown = text;
  try {
    value = JSON.parse(text);
  } catch {
    // Cut, or another party's words.
  }
  if (typeof value === 'object' && value !== null)
    return (
      <div className={classes.result} tabIndex={0} role="group" aria-label="Output">
        <Readable value={value} />
      </div>
    );
  return (
    <pre className={classes.result} tabIndex={0} aria-label="Output">
      {unordered(text)}
    </pre>
  );
}
