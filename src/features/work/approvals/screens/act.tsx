// A proposed act as a person reads it before they sign for it: what it does, what it is about, and every argument in readable
// form. What records it names are called by their titles. And, once it is done, what it answered.
import { TitleText } from '../../../../ui/kit/title-text.tsx';
import type { Approval } from '../contract.ts';
import { Effect, Steps, Why } from './proposed.tsx';
import { Readable, wordsOf } from './readable.tsx';
import { PROPOSED } from './words.ts';
import classes from './act.module.css';

type Act = NonNullable<Approval['act']>;

/** `pending`: it still waits, so what it would do is rehearsed again. */
export function ActShown({ act, pending }: { act: Act; pending: boolean }) {
  const { says, arguments: given, things, letters, changed, steps } = act;
  // Letters are below, whole: their ids and fingerprints are nothing to read.
  const hidden =
    letters === null || letters.length === 0 ? ['seen'] : ['seen', 'sends', 'send', 'fingerprint'];
  const entries = Object.entries(given).filter(([name]) => !hidden.includes(name));
  return (
    <section className={classes.act} aria-label="Proposed action">
      <Effect act={act} pending={pending} />
      <Why act={act} />
      <p className={classes.says}>{says}</p>
      {changed !== null && (
        <p className={classes.changed} role="status">
          {changed}
        </p>
      )}
      {entries.length > 0 && (
        <dl className={classes.given}>
          {entries.map(([name, value]) => (
            <div key={name}>
              <dt>{wordsOf(name)}</dt>
              <dd>
                {things[name] === undefined ? (
                  <Readable value={value} />
                ) : (
                  <span className={classes.thing}>
                    <TitleText>{things[name]}</TitleText> <code>{String(value)}</code>
                  </span>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {steps && <Steps steps={steps} />}
      {letters?.map((letter) => (
        <LetterShown key={letter.id} letter={letter} />
      ))}
    </section>
  );
}

type Letter = NonNullable<Act['letters']>[number];

function LetterShown({ letter: { to, from, subject, text } }: { letter: Letter }) {
  return (
    <article className={classes.letter} aria-label={`Letter to ${to.join(', ')}`}>
      <dl className={classes.given}>
        <div>
          <dt>To</dt>
          <dd className={classes.text}>{to.join(', ')}</dd>
        </div>
        <div>
          <dt>From</dt>
          <dd className={classes.text}>{from ?? 'Not set'}</dd>
        </div>
        <div>
          <dt>Subject</dt>
          <dd className={classes.text}>{subject}</dd>
        </div>
      </dl>
      <p className={classes.text}>{text}</p>
    </article>
  );
}

/** Shown once: there may be a link or a key in it that is never shown again. Of a plan the answers are folded: there may be many. */
export function ActAnswer({ answer, steps }: { answer: Record<string, unknown>; steps: number | null }) {
  // A link or a key first, then whole records.
  const isRecord = (value: unknown): number => (typeof value === 'object' && value !== null ? 1 : 0);
  const ordered = Object.entries(answer).toSorted(([, a], [, b]) => isRecord(a) - isRecord(b));
  const all = <Readable value={Object.fromEntries(ordered)} />;
  return (
    <section className={classes.answer} aria-label="Result" role="status">
      <h3>{steps === null ? PROPOSED.done : PROPOSED.plan_done(steps)}</h3>
      {steps === null ? (
        all
      ) : (
        <details>
          <summary>{PROPOSED.answers}</summary>
          {all}
        </details>
      )}
    </section>
  );
}
