// What a proposal would do, before anything else: the effect as it is rehearsed now, what differs from when it was proposed, the
// proposer's words, and the steps of a plan.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../../../../ui/client/hooks.ts';
import { Bones } from '../../../../ui/kit/states.tsx';
import { TitleText, unordered } from '../../../../ui/kit/title-text.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { Approval } from '../contract.ts';
import { inWords } from '../words.rules.ts';
import { Readable, wordsOf } from './readable.tsx';
import { PROPOSED } from './words.ts';
import classes from './proposed.module.css';

type Act = NonNullable<Approval['act']>;

/** A rehearsal is a whole act: it is not run again at every glance. */
const FRESH_MS = 60_000;
const STEPS_SHOWN = 10;

export function Effect({ act, pending }: { act: Act; pending: boolean }) {
  const asks = pending && act.rehearsal !== null;
  const read = useRead(
    'proposal_rehearse',
    { proposal: act.proposal_id },
    { enabled: asks, stale_ms: FRESH_MS },
  );
  const fresh = read.data?.rehearsal ?? null;
  const shown = fresh?.would ? fresh : act.rehearsal;
  if (shown === null) return null;
  if (asks && read.isPending) return <Bones lines={2} />;
  const refused = fresh?.refused?.message ?? null;
  const differs = refused === null ? (read.data?.differs ?? []) : [];
  return (
    <section className={classes.effect} aria-label={PROPOSED.effect}>
      <h3>{PROPOSED.effect}</h3>
      {shown.would ? (
        <ul className={classes.changes}>
          {shown.changes.map(({ what, count }) => (
            <li key={what}>
              <strong>{count.toLocaleString('en')}</strong> {what}
            </li>
          ))}
          {shown.events.map(({ kind, count }) => (
            <li key={kind}>
              <strong>{count.toLocaleString('en')}</strong> <code>{kind}</code>{' '}
              {count === 1 ? PROPOSED.event : PROPOSED.events}
            </li>
          ))}
          {shown.changes.length + shown.events.length === 0 && <li>{PROPOSED.nothing}</li>}
        </ul>
      ) : (
        <p className={classes.quiet}>{shown.because ?? PROPOSED.not_rehearsed}</p>
      )}
      {shown.would && shown.because && <p className={classes.quiet}>{shown.because}</p>}
      {refused !== null && (
        <p className={classes.differs} role="status">
          {PROPOSED.refused} {unordered(refused)}
        </p>
      )}
      {differs.length > 0 && (
        <div className={classes.differs} role="status">
          {PROPOSED.differs}
          <ul className={classes.changes}>
            {differs.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}

export function Why({ act: { why, expires_at } }: { act: Act }) {
  if (why === null && expires_at === null) return null;
  return (
    <div className={classes.why}>
      {why !== null && (
        <blockquote aria-label={PROPOSED.why}>
          <TitleText>{why}</TitleText>
        </blockquote>
      )}
      {expires_at !== null && (
        <p className={classes.quiet}>
          {PROPOSED.expires} <Time at={expires_at} />
        </p>
      )}
    </div>
  );
}

export function Steps({ steps }: { steps: NonNullable<Act['steps']> }) {
  const [all, setAll] = useState(steps.length <= STEPS_SHOWN);
  const shown = all ? steps : steps.slice(0, STEPS_SHOWN);
  return (
    <section aria-label={PROPOSED.steps}>
      <ol className={classes.steps}>
        {shown.map((step, at) => (
          <li key={at}>
            <details>
              <summary>
                <strong>{inWords(step.act)}</strong> <span className={classes.quiet}>{aboutOf(step)}</span>
              </summary>
              <Readable value={Object.fromEntries(Object.entries(step.arguments).map(referred))} />
            </details>
          </li>
        ))}
      </ol>
      {!all && (
        <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setAll(true)}>
          {PROPOSED.show_all(steps.length)}
        </Button>
      )}
    </section>
  );
}

type Step = NonNullable<Act['steps']>[number];

const ABOUT = ['name', 'title', 'subject', 'email', 'status', 'text'];
const ABOUT_MAX_CHARS = 60;

/** What a step calls the thing it makes or changes, where it calls it anything. */
function aboutOf({ arguments: given }: Step): string {
  const said = ABOUT.map((key) => given[key]).find((value) => typeof value === 'string');
  return typeof said === 'string' ? unordered(said.slice(0, ABOUT_MAX_CHARS).toWellFormed()) : '';
}

/** An answer of an earlier step, in words. */
function referred([name, value]: [string, unknown]): [string, unknown] {
  if (typeof value !== 'object' || value === null || !('$from' in value)) return [name, value];
  const [, at = '0', ...field] = String(value.$from).split('.');
  return [name, PROPOSED.from(Number(at) + 1, wordsOf(field.join(' ')).toLowerCase())];
}
