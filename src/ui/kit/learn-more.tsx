// A link to the page of the guide that explains what a line here only names.
import { Link } from '@tanstack/react-router';
import classes from './learn-more.module.css';

type LearnMoreProps = {
  /** A page of docs/guide. */
  page: 'getting-started' | 'words' | 'agents' | 'events' | 'operations' | 'dependencies' | 'metrics';
  /** One of its headings, as a link names it. */
  at?: string;
  /** What it explains, for whoever hears the link without what is around it. */
  about: string;
};

export const LearnMore = ({ page, at, about }: LearnMoreProps) => (
  <Link to="/guide/$page" params={{ page }} {...(at ? { hash: at } : {})} className={classes.link}>
    Learn more<span className="unseen"> about {about}</span>
  </Link>
);
