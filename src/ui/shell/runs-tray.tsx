// The tray: each run with how far it is and, once it is over, what did not work and why. At a corner of the desk, where it can be
// folded; on a phone below the screen, so that it covers nothing.
import { ActionIcon, Button, Progress } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { ChevronDown, ChevronUp, Check, Pause, TriangleAlert, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { counted, many, percent } from '../kit/numbers.ts';
import { useOnPhone } from '../kit/phone.ts';
import { stopJob, undoJob } from './runs-jobs.ts';
import {
  close,
  failures,
  isClean,
  outcome,
  passed,
  type Refused,
  type Run,
  type Said,
  useRuns,
} from './runs-shown.ts';
import { goOn, stop } from './runs.ts';
import classes from './runs-tray.module.css';

/** What went well is gone on its own after this, unless someone looks at it. */
const LEAVES_MS = 6_000;
/** With an undo. */
const UNDO_LEAVES_MS = 10_000;
const GAP_PX = 12;
/** A region that has just come is heard after this. */
const HEARD_MS = 200;
const STEP = 20;

export function RunsTray() {
  const { runs: all, said } = useRuns();
  const shown = all.filter((run) => run.shown);
  const [folded, setFolded] = useState(false);
  const spoken = useSpoken(said);
  const box = useRoomFor(shown.length > 0);
  return (
    <>
      <div className="unseen" role="status" aria-atomic={false}>
        {spoken.map(({ key, says: heard }) => (
          <p key={key}>{heard}</p>
        ))}
      </div>
      {shown.length > 0 && (
        <section
          ref={box}
          className={classes.tray}
          aria-label="Bulk actions"
          data-folded={folded || undefined}
        >
          <button
            type="button"
            className={classes.fold}
            aria-expanded={!folded}
            onClick={() => setFolded(!folded)}
          >
            <span>{folded ? inShort(shown) : underWay(shown)}</span>
            {folded ? <ChevronUp size={14} aria-hidden /> : <ChevronDown size={14} aria-hidden />}
          </button>
          {!folded && (
            <ul className={classes.runs}>
              {shown.map((run) => (
                <OneRun key={run.key} run={run} />
              ))}
            </ul>
          )}
        </section>
      )}
    </>
  );
}

function underWay(all: Run[]): string {
  const going = all.filter(({ at }) => at !== 'over').length;
  return going > 0 ? `${counted(going)} in progress` : 'Finished';
}

function inShort(all: Run[]): string {
  const now = all.find(({ at }) => at === 'going' || at === 'standing') ?? all.at(-1);
  if (!now) return '';
  return now.at === 'over'
    ? `${now.title}: finished`
    : `${now.title}: ${percent(Math.floor(share(now)) / 100)}`;
}

const share = (run: Run): number => (run.total === 0 ? 0 : (passed(run) / run.total) * 100);

/** A reader hears what changes in a region that was there before: each run has its own line in it. */
function useSpoken(said: readonly Said[]): readonly Said[] {
  const [spoken, setSpoken] = useState<readonly Said[]>([]);
  useEffect(() => {
    const timer = setTimeout(() => setSpoken(said), HEARD_MS);
    return () => clearTimeout(timer);
  }, [said]);
  return spoken;
}

/** What else is at that corner keeps out of its way. */
function useRoomFor(stands: boolean) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    const tray = box.current;
    if (!tray || !stands) return;
    const { style } = document.documentElement;
    const seen = new ResizeObserver(() => {
      style.setProperty('--runs-height', `${tray.offsetHeight + GAP_PX}px`);
      if (getComputedStyle(tray).position === 'fixed')
        style.setProperty('--runs-width', `${tray.offsetWidth + GAP_PX}px`);
      else style.removeProperty('--runs-width');
    });
    seen.observe(tray);
    return () => {
      seen.disconnect();
      style.removeProperty('--runs-height');
      style.removeProperty('--runs-width');
    };
  }, [stands]);
  return box;
}

function says(run: Run): string {
  const { at, total } = run;
  if (at === 'queued') return 'Starts after the previous action finishes.';
  if (at === 'over') return outcome(run);
  if (run.stopped) return 'Stopping…';
  const not = failures(run) > 0 ? `, ${counted(failures(run))} failed` : '';
  return `${counted(passed(run))} of ${counted(total)}${not}`;
}

function OneRun({ run }: { run: Run }) {
  const over = run.at === 'over';
  const leaving = useLeaves(run);
  const onPhone = useOnPhone();
  const [open, setOpen] = useState<boolean | null>(null);
  const opened = open ?? (over && !onPhone);
  return (
    <li className={classes.run} {...leaving}>
      <div className={classes.head}>
        {over && (isClean(run) ? <Check size={15} aria-hidden /> : <TriangleAlert size={15} aria-hidden />)}
        {run.at === 'standing' && <Pause size={15} aria-hidden />}
        <strong title={run.title}>{run.title}</strong>
        {run.asks && (
          <Button size="compact-xs" onClick={() => goOn(run.key)} aria-label={`Continue: ${run.title}`}>
            Continue
          </Button>
        )}
        {over && run.job?.undoable && (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Undo: ${run.title}`}
            onClick={() => void undoJob(run.key)}
          >
            Undo
          </Button>
        )}
        {over ? (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={26}
            aria-label={`Close: ${run.title}`}
            onClick={() => close(run.key)}
          >
            <X size={15} aria-hidden />
          </ActionIcon>
        ) : (
          <Button
            size="compact-xs"
            variant="default"
            disabled={run.stopped}
            aria-label={`Stop: ${run.title}`}
            onClick={() => (run.job ? void stopJob(run.key) : stop(run.key))}
          >
            Stop
          </Button>
        )}
      </div>
      {!over && <Progress value={share(run)} size="sm" aria-label={`Progress: ${run.title}`} />}
      <p>{says(run)}</p>
      {run.why && <p className={classes.why}>{run.why}</p>}
      {run.job && (
        <Goes to={`/people/bulk/${run.job.id}`} className={classes.more}>
          Details
        </Goes>
      )}
      {run.refused.length > 0 && (
        <>
          <button
            type="button"
            className={classes.more}
            aria-expanded={opened}
            onClick={() => setOpen(!opened)}
          >
            {opened ? 'Hide failures' : 'Show failures'}
          </button>
          {opened && <NotDone refused={run.refused} title={run.title} />}
        </>
      )}
    </li>
  );
}

/** Goes on its own where all went well in a moment, but not from under someone's eyes. */
function useLeaves(run: Run) {
  const [looked, setLooked] = useState(false);
  const { key } = run;
  const undoable = run.job?.undoable === true;
  const goes = run.at === 'over' && run.brief && isClean(run) && !looked;
  useEffect(() => {
    if (!goes) return;
    const timer = setTimeout(() => close(key), undoable ? UNDO_LEAVES_MS : LEAVES_MS);
    return () => clearTimeout(timer);
  }, [goes, key, undoable]);
  return {
    onPointerEnter: () => setLooked(true),
    onPointerLeave: () => setLooked(false),
    onFocus: () => setLooked(true),
    onBlur: () => setLooked(false),
  };
}

function NotDone({ refused, title }: { refused: readonly Refused[]; title: string }) {
  const by = [...Map.groupBy(refused, (one) => one.says)].toSorted(([, a], [, b]) => b.length - a.length);
  return (
    <ul className={classes.reasons} tabIndex={0} aria-label={`Failures: ${title}`}>
      {by.map(([sentence, of]) => (
        <Reason key={sentence} sentence={sentence} of={of} />
      ))}
    </ul>
  );
}

/** A link that the router follows, though the tray is outside what it draws. */
type GoesProps = { to: string; className?: string | undefined; children: string };

function Goes({ to, className, children }: GoesProps) {
  const router = useRouter();
  return (
    <a
      href={to}
      className={className}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        router.history.push(to);
      }}
    >
      {children}
    </a>
  );
}

function Reason({ sentence, of }: { sentence: string; of: Refused[] }) {
  const [most, setMost] = useState(STEP);
  return (
    <li>
      <p>{sentence}</p>
      <ul className={classes.names}>
        {of.slice(0, most).map(({ id, name, to }) => (
          <li key={id}>
            <Goes to={to}>{name}</Goes>
          </li>
        ))}
      </ul>
      {of.length > most && (
        <button type="button" className={classes.more} onClick={() => setMost(most + STEP * 5)}>
          {many(of.length - most, 'more', 'more')}
        </button>
      )}
    </li>
  );
}
