// The frame of a screen: a header with the location and the actions, and a body that scrolls.
import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import {
  createContext,
  Fragment,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
  type ReactNode,
} from 'react';
import { useSilence } from './keys.ts';
import { nameTab } from './title.ts';
import classes from './page.module.css';

export type Crumb = { title: string; to?: string };

type PageProps = {
  /** Where one is; the last one is the page itself and its heading. */
  crumbs: [Crumb, ...Crumb[]];
  /** Beside the heading: a count, a state. */
  beside?: ReactNode;
  actions?: ReactNode;
  /** A second row under the header: filters, tabs. */
  bar?: ReactNode;
  /** `reading` keeps lines readable, `full` uses the whole width (lists, boards). */
  width?: 'reading' | 'full';
  children: ReactNode;
};

type Standing = { refused: boolean; tell: (more: 1 | -1) => void };

/** Whether what is around is refused, and how to say so. */
const Refusal = createContext<Standing>({ refused: false, tell: () => undefined });

/** As many as there are: one that goes leaves the others standing. */
function useStanding(): Standing {
  const [refusals, count] = useState(0);
  const tell = useCallback((more: 1 | -1) => count((before) => before + more), []);
  const refused = refusals > 0;
  return useMemo(() => ({ refused, tell }), [refused, tell]);
}

/** What someone may not read they are not offered to make or to change either: neither buttons nor keys. */
export function useRefusal(refused: boolean): void {
  const { tell } = useContext(Refusal);
  useLayoutEffect(() => {
    if (!refused) return;
    tell(1);
    return () => tell(-1);
  }, [refused, tell]);
}

/** Whether what the page, or this part of it, is of is refused. */
export const useRefused = (): boolean => useContext(Refusal).refused;

/** A part of a page, which may be refused while the page is not. */
export const Part = ({ children }: { children: ReactNode }) => (
  <Refusal value={useStanding()}>{children}</Refusal>
);

/** What acts on what is around it, as a dialog that an address opens: not there where that is refused. */
export const Offered = ({ children }: { children: ReactNode }) =>
  useRefused() ? null : <Part>{children}</Part>;

export function Page({ crumbs, beside, actions, bar, width = 'full', children }: PageProps) {
  const title = crumbs.at(-1)?.title ?? '';
  const standing = useStanding();
  const { refused } = standing;
  useEffect(() => nameTab(title), [title]);
  useSilence(refused);
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <div className={classes.where}>
          {crumbs.slice(0, -1).map((crumb) => (
            <Fragment key={crumb.title}>
              {crumb.to || crumb.title === 'Settings' ? (
                <Link to={crumb.to ?? '/settings'} className={classes.crumb}>
                  <ChevronRight size={18} aria-hidden className={classes.back} />
                  <span className={classes.up}>{crumb.title}</span>
                </Link>
              ) : (
                <span className={classes.crumb}>{crumb.title}</span>
              )}
              <ChevronRight size={13} aria-hidden className={classes.sep} />
            </Fragment>
          ))}
          <h1 className={classes.title}>{title}</h1>
          {beside}
        </div>
        {actions && !refused && <div className={classes.actions}>{actions}</div>}
      </header>
      {bar && <div className={classes.bar}>{bar}</div>}
      <div className={width === 'reading' ? classes.reading : classes.full}>
        <Refusal value={standing}>{children}</Refusal>
      </div>
    </div>
  );
}

/** A titled block of a settings page: what it is, one sentence on what it does, and its controls. */
export function Section({
  title,
  says,
  actions,
  children,
}: {
  title: string;
  says?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <section className={classes.section}>
      <div className={classes.sectionHead}>
        <div>
          <h2>{title}</h2>
          {says && <p className={classes.says}>{says}</p>}
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </div>
      {children}
    </section>
  );
}
