// Today, the landing page: what needs the caller, worked through by keyboard; below it what is broken and what is scheduled.
import { Link, useRouter, useRouterState, useSearch } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useRead } from '../../../../ui/client/hooks.ts';
import { useMe } from '../../../../ui/client/session.ts';
import { focusOn } from '../../../../ui/kit/focus.ts';
import { useKeys, type KeyBinding } from '../../../../ui/kit/keys.ts';
import { Page } from '../../../../ui/kit/page.tsx';
import { Count } from '../../../../ui/kit/pills.tsx';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import { FirstRun } from '../../start/screens/shared.ts';
import type { TodaySection } from '../contract.ts';
import { momentOf, wallIn } from '../../../inbox/threads/snooze/snooze.rules.ts';
import { Numbers } from './numbers.tsx';
import type { SentAnswer } from './reply.tsx';
import { Row } from './row.tsx';
import { Sending } from './sending.tsx';
import { actsOf, closedFor, useTodayActs, type Doing } from './use-acts.ts';
import { useRows, type TodayGroup, type Shown } from './use-rows.ts';
import { PARTS, WORDS } from './words.ts';
import classes from './today.module.css';

const EVERY_MS = 60_000;
const NONE: TodaySection[] = [];

/** When the day began where its reader is. */
function midnight(zone: string): string {
  return momentOf({ ...wallIn(zone, new Date()), hour: 0, minute: 0 }, zone).toISOString();
}

type Asking = { key: string; to: 'answer' | 'snooze' };

export function TodayScreen() {
  const router = useRouter();
  const search = useSearch({ from: '/desk/' });
  const { admin, user } = useMe();
  const zone = user?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  // What is above the rows is read with them: nothing moves down under whoever begins.
  const start = useRead('start_get', {}, { enabled: admin, stale_ms: 0 });
  const list = useRef<HTMLDivElement>(null);
  const read = useRead('today_get', { since: midnight(zone) }, { every_ms: EVERY_MS });
  const { groups, rows, opened, open, step, settle, back } = useRows(
    read.data?.sections ?? NONE,
    search.open,
  );
  const [asking, setAsking] = useState<Asking | null>(null);
  const [sent, setSent] = useState<{ thread: string; answer: SentAnswer; row: Shown } | null>(null);
  const [notes, setNotes] = useState<ReadonlyMap<string, string>>(new Map());

  const focus = (to: Shown | undefined | null): void =>
    focusOn(() =>
      to
        ? (list.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(to.row.key)}"]`) ?? null)
        : document.getElementById('screen'),
    );
  const write = (key: string, note: string | null): void =>
    setNotes((before) => {
      const next = new Map(before);
      if (note === null) next.delete(key);
      else next.set(key, note);
      return next;
    });
  const act = useTodayActs({
    settle: (row) => {
      const shown = rows.find((one) => one.row.key === row.key);
      if (shown) focus(settle(shown));
    },
    back,
  });
  const go = ({ row }: Shown): void => {
    // Back leads to the row that was left, not to the top.
    router.history.replace(`/?open=${encodeURIComponent(row.key)}`);
    // Two changes of the address in a row would become one.
    router.history.flush();
    router.history.push(row.place);
  };
  const returned = useEffectEvent(() => {
    if (search.open !== undefined && opened?.row.key === search.open) focus(opened);
  });
  const drawn = read.data !== undefined && !(admin && start.isPending);
  // Whoever comes back before the other screen was there finds this one as they left it, at another place of the history.
  const at = useRouterState({ select: ({ location }) => location.state.__TSR_key });
  useEffect(() => {
    if (drawn) returned();
  }, [drawn, at, search.open]);
  const doIt = (shown: Shown, doing: Doing): void => {
    if (shown.settled || closedFor(shown.row, doing) !== null) return;
    if (doing === 'answer' || doing === 'snooze') setAsking({ key: shown.row.key, to: doing });
    else if (doing === 'return') write(shown.row.key, notes.get(shown.row.key) ?? '');
    else void act(shown.row, doing);
  };
  const give = (shown: Shown): void => {
    const note = notes.get(shown.row.key)?.trim();
    if (!note) return;
    write(shown.row.key, null);
    void act(shown.row, 'return', note);
  };

  const keys: KeyBinding[] = [
    { keys: 'j', does: 'Next row', group: 'Today', run: () => focus(step(1)) },
    { keys: 'k', does: 'Previous row', group: 'Today', run: () => focus(step(-1)) },
    { keys: 'ArrowDown', does: 'Next row', group: 'Today', silent: true, run: () => focus(step(1)) },
    { keys: 'ArrowUp', does: 'Previous row', group: 'Today', silent: true, run: () => focus(step(-1)) },
    { keys: 'Enter', does: 'Open', group: 'Today', run: () => opened && go(opened) },
    ...(opened ? actsOf(opened.row) : []).map(({ doing, key, title }) => ({
      keys: key,
      does: title,
      group: 'Today',
      run: (event: KeyboardEvent) => (opened && !event.repeat ? doIt(opened, doing) : undefined),
    })),
  ];
  useKeys(keys, rows.length > 0);

  const needs = groups.find(({ part }) => part === 'needs');
  const waiting = needs ? countOf(needs) : { count: 0, more: false };
  const rowOf = (shown: Shown) => {
    const { key } = shown.row;
    const here = shown === opened;
    return (
      <Row
        key={key}
        shown={shown}
        open={here}
        note={notes.get(key) ?? null}
        asking={asking?.key === key ? asking.to : null}
        snooze={(until) => {
          setAsking(null);
          void act(shown.row, 'snooze', until.toISOString());
        }}
        answered={(answer) => {
          setAsking(null);
          setSent({ thread: shown.row.id, answer, row: shown });
          focus(settle(shown));
        }}
        leave={() => {
          setAsking(null);
          focus(shown);
        }}
        press={() => (here ? go(shown) : open(shown))}
        go={() => go(shown)}
        act={(doing) => doIt(shown, doing)}
        write={(note) => {
          write(key, note);
          if (note === null) focus(shown);
        }}
        give={() => give(shown)}
      />
    );
  };
  return (
    <Page
      crumbs={[{ title: 'Today' }]}
      width="reading"
      beside={
        waiting.count > 0 && (
          <Count tone="warn">
            {waiting.count}
            {waiting.more ? '+' : ''}
            <span className="unseen"> need your attention</span>
          </Count>
        )
      }
    >
      {read.error && !read.data ? (
        <Trouble error={read.error} again={() => void read.refetch()} />
      ) : !read.data || (admin && start.isPending) ? (
        <Bones lines={7} height={26} />
      ) : (
        <div ref={list} className={classes.today}>
          <FirstRun />
          {read.data.numbers && <Numbers of={read.data.numbers} />}
          {sent && (
            <Sending
              key={sent.answer.id}
              thread={sent.thread}
              answer={sent.answer}
              over={() => setSent(null)}
              undone={() => {
                back(sent.row.row);
                open(sent.row);
              }}
            />
          )}
          {groups.map((group) => (
            <PartOf key={group.part} group={group} rowOf={rowOf}>
              {group.part === 'needs' && <Calm groups={groups} />}
            </PartOf>
          ))}
        </div>
      )}
    </Page>
  );
}

type PartProps = { group: TodayGroup; rowOf: (shown: Shown) => React.ReactNode; children: React.ReactNode };

function PartOf({ group, rowOf, children }: PartProps) {
  const filled = group.sections.filter(({ rows }) => rows.length > 0);
  if (filled.length === 0) return children;
  const { count, more } = countOf(group);
  return (
    <section aria-labelledby={`part-${group.part}`} className={classes.part} data-part={group.part}>
      <h2 id={`part-${group.part}`}>
        {PARTS[group.part]} {group.part !== 'waits' && <Count>{more ? `${count}+` : count}</Count>}
      </h2>
      <div className={classes.card}>
        {filled.map(({ section, rows }) => (
          <div key={section.name}>
            <ul className={classes.rows}>{rows.map(rowOf)}</ul>
            <Left section={section} shown={rows.length} />
          </div>
        ))}
      </div>
    </section>
  );
}

/** Link to the rest of a section. */
function Left({ section, shown }: { section: TodaySection; shown: number }) {
  const left = section.count - Math.max(section.rows.length, shown);
  if (left <= 0 && !section.more) return null;
  const { one, more } = WORDS[section.name];
  return (
    <Link to={section.place} className={classes.left}>
      {left > 0 ? `${left.toLocaleString()} more ${left === 1 ? one : more}` : `All ${more}`}
    </Link>
  );
}

const countOf = ({ sections }: TodayGroup): { count: number; more: boolean } => ({
  // Those that were settled here a moment ago are still in the count that was read.
  count: sections.reduce(
    (sum, { section, rows }) =>
      sum + section.count - section.rows.length + rows.filter(({ settled }) => !settled).length,
    0,
  ),
  more: sections.some(({ section }) => section.more),
});

/** Nothing needs anyone: it says so, and what comes next on its own. */
function Calm({ groups }: { groups: TodayGroup[] }) {
  const me = useMe();
  const shown = (part: string): Shown[] =>
    groups.filter((one) => one.part === part).flatMap((one) => one.sections.flatMap(({ rows }) => rows));
  const next = shown('waits')
    .flatMap(({ row }) => row.until ?? [])
    .sort()[0];
  const broken = shown('broken').length > 0;
  return (
    <div className={classes.calm}>
      <span className={classes.rings} aria-hidden>
        <Check size={26} strokeWidth={2} />
      </span>
      <h2>You’re all caught up, {me.principal.name.split(' ')[0]}</h2>
      <p>
        {broken
          ? 'No decisions are waiting. See the problems below.'
          : 'No decisions are waiting, and every positive reply has been answered.'}
        {next && (
          <>
            {' '}
            Next scheduled: <Time at={next} />.
          </>
        )}
      </p>
    </div>
  );
}
