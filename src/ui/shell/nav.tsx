// The navigation: the search, the places in order with what waits in them, and below them the bell and oneself.
import { Link } from '@tanstack/react-router';
import { Keyboard, PanelLeft, Search } from 'lucide-react';
import { useEffect } from 'react';
import { useRead } from '../client/hooks.ts';
import { useMe } from '../client/session.ts';
import { KeyHint } from '../kit/key-hint.tsx';
import { Count } from '../kit/pills.tsx';
import { countInTab } from '../kit/title.ts';
import { Bell } from './bell.tsx';
import { Logo } from './logo.tsx';
import { Oneself } from './me-button.tsx';
import { mayAdminister, PLACES } from './places.ts';
import classes from './nav.module.css';

/** How many are counted of what waits before it says "99+". */
const COUNTED = 100;
/** Letters come whole, so that few of them are counted. */
const LETTERS = 10;
const mostOf = (to: string): number => (to === '/review' ? LETTERS : COUNTED);

type NavProps = { folded: boolean; search: () => void; keys: () => void; fold?: () => void };

export function Nav({ folded, search, keys, fold }: NavProps) {
  const me = useMe();
  const waiting: Record<string, number | undefined> = {
    // What someone else has to decide waits for no one here.
    '/approvals': useRead('approval_list', { limit: COUNTED }).data?.items.filter(
      ({ can_decide }) => can_decide,
    ).length,
    '/inbox': useRead('inbox_counts', {}).data?.unanswered,
    '/review': useRead('send_list', { state: 'review', limit: LETTERS }, { enabled: mayAdminister(me) }).data
      ?.items.length,
  };
  const all = Object.entries(waiting).map(([to, n]) => ({ n: n ?? 0, most: mostOf(to) }));
  const sum = all.reduce((total, { n }) => total + n, 0);
  const more = all.some(({ n, most }) => n >= most) || sum >= COUNTED;
  useEffect(() => {
    countInTab(sum === 0 ? '' : more ? `${Math.min(sum, COUNTED) - 1}+` : String(sum));
  }, [sum, more]);
  return (
    <nav className={classes.nav} data-folded={folded || undefined} aria-label="Main">
      <div className={classes.top}>
        <Link to="/" className={classes.home}>
          <Logo />
          <span className={folded ? 'unseen' : classes.names}>
            <strong>Dunnock</strong> <span>{me.instance}</span>
          </span>
        </Link>
        {fold && !folded && <IconKey label="Collapse navigation" icon={PanelLeft} run={fold} />}
      </div>

      <button
        type="button"
        className={classes.search}
        onClick={search}
        data-tip={folded ? 'Search and jump' : undefined}
      >
        <Search size={15} aria-hidden />
        <span className={folded ? 'unseen' : classes.grow}>Search and jump</span>
        {!folded && <KeyHint keys="mod+k" />}
      </button>

      <ul className={classes.places}>
        {PLACES.filter((place) => place.shown(me)).map(({ title, to, icon: Icon }) => (
          <li key={to}>
            <Link
              to={to}
              className={classes.place}
              activeOptions={{ exact: to === '/' }}
              activeProps={{ 'data-here': true, 'aria-current': 'page' }}
              data-tip={folded ? title : undefined}
            >
              <Icon size={17} strokeWidth={1.75} aria-hidden />
              <span className={folded ? 'unseen' : classes.grow}>{title}</span>
              <Waiting count={waiting[to] ?? 0} most={mostOf(to)} />
            </Link>
          </li>
        ))}
      </ul>

      <div className={classes.foot}>
        {fold && folded && <IconKey label="Expand navigation" icon={PanelLeft} run={fold} />}
        <div className={classes.footRow}>
          <Bell unread={me.unread_notifications} />
          <IconKey label="Keyboard shortcuts" icon={Keyboard} run={keys} />
        </div>
        <Oneself folded={folded} />
      </div>
    </nav>
  );
}

const Waiting = ({ count, most }: { count: number; most: number }) =>
  count > 0 && (
    <span className={classes.badge}>
      <Count tone="warn">{count >= most ? `${most - 1}+` : count}</Count>
      <span className="unseen"> waiting</span>
    </span>
  );

const IconKey = ({ label, icon: Icon, run }: { label: string; icon: typeof Search; run: () => void }) => (
  <button type="button" className={classes.icon} aria-label={label} data-tip={label} onClick={run}>
    <Icon size={16} strokeWidth={1.75} aria-hidden />
  </button>
);
