// Links to the records a run touched, found by the names of ids in step output.
import { Link } from '@tanstack/react-router';
import classes from './run.module.css';

type Found = { to: string; title: string };

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const BY_NAME: Record<string, { title: string; to: (id: string) => string }> = {
  person_id: { title: 'Person', to: (id) => `/people/${id}` },
  campaign_id: { title: 'Campaign', to: (id) => `/campaigns/${id}` },
  thread_id: { title: 'Conversation', to: (id) => `/inbox?open=${id}` },
  send_id: { title: 'Letter', to: (id) => `/sends/${id}` },
  deal_id: { title: 'Deal', to: (id) => `/deals/${id}` },
  domain_id: { title: 'Domain', to: (id) => `/settings/domains/${id}` },
  approval_id: { title: 'Approval', to: (id) => `/approvals?open=${id}` },
};

/** Deep enough for an answer of an operation: `{ item: { key } }`. */
const DEEP = 2;

export function linksIn(value: unknown, depth = 0): Found[] {
  if (typeof value !== 'object' || value === null || depth > DEEP) return [];
  const found = new Map<string, Found>();
  for (const [name, each] of Object.entries(value)) {
    const known = Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : undefined;
    if (known && typeof each === 'string' && ID.test(each))
      found.set(known.to(each), { to: known.to(each), title: known.title });
    if (name === 'item' && hasText(each, 'key')) {
      const [project = ''] = each.key.split('-');
      found.set(each.key, { to: `/work/${project}/${each.key}`, title: `Work item ${each.key}` });
    }
    if (name === 'send' && hasText(each, 'id'))
      found.set(each.id, { to: `/sends/${each.id}`, title: 'Letter' });
    for (const one of linksIn(each, depth + 1)) found.set(one.to, one);
  }
  return [...found.values()];
}

const hasText = <K extends string>(value: unknown, key: K): value is Record<K, string> =>
  typeof value === 'object' && value !== null && typeof (value as Record<string, unknown>)[key] === 'string';

export function Links({ of }: { of: unknown }) {
  const found = linksIn(of);
  if (found.length === 0) return null;
  return (
    <p className={classes.links}>
      {found.map(({ to, title }) => (
        <Link key={to} to={to}>
          {title}
        </Link>
      ))}
    </p>
  );
}
