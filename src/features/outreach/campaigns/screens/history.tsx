// What happened to a campaign, newest first: starts and stops, every changed setting, review and pool, each with who did it.
import { many } from '../../../../ui/kit/numbers.ts';
import { Button } from '@mantine/core';
import { History as Clock } from 'lucide-react';
import { usePages } from '../../../../ui/client/hooks.ts';
import { Principal } from '../../../../ui/kit/principal.tsx';
import { Bones, Empty, Trouble } from '../../../../ui/kit/states.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { CampaignFact } from '../running.contract.ts';
import type { TabProps } from './tab.ts';
import { PAUSED, REVIEW } from './words.ts';
import classes from './history.module.css';

export function HistoryTab({ campaign }: TabProps) {
  const pages = usePages('campaign_history', { campaign: campaign.id, limit: 50 });
  if (pages.error) return <Trouble error={pages.error} again={pages.again} />;
  if (pages.pending)
    return (
      <div className={classes.history}>
        <Bones lines={6} height={20} />
      </div>
    );
  if (pages.rows.length === 0)
    return (
      <Empty icon={Clock} title="No history yet">
        Changes to this campaign appear here.
      </Empty>
    );
  return (
    <section className={classes.history} aria-label="Timeline">
      <ol>
        {pages.rows.map((fact) => (
          <li key={fact.id}>
            <p className={classes.line}>
              <Principal of={fact.by} behalf={fact.by.on_behalf_of ?? null} /> {DID[fact.kind]}{' '}
              <Time at={fact.at} />
            </p>
            <More fact={fact} />
          </li>
        ))}
      </ol>
      {pages.more && (
        <Button variant="subtle" color="gray" onClick={pages.more}>
          Show earlier
        </Button>
      )}
    </section>
  );
}

const DID: Record<CampaignFact['kind'], string> = {
  created: 'created the campaign as a draft',
  cloned: 'created the campaign by cloning another one',
  changed: 'changed the settings',
  activated: 'activated the campaign',
  paused: 'paused the campaign',
  finished: 'finished the campaign: everyone has completed the sequence',
  archived: 'archived the campaign',
  review_policy: 'changed the review policy',
  no_human_review: 'confirmed that letters go out without review',
  pool: 'changed the pool',
  sequence: 'changed the steps',
};

type Changed = { field: string; from: unknown; to: unknown };

function More({ fact: { kind, details } }: { fact: CampaignFact }) {
  if (kind === 'changed' && Array.isArray(details['changes']))
    return (
      <ul className={classes.changes}>
        {(details['changes'] as Changed[]).map(({ field, from, to }) => (
          <li key={field}>
            {inWords(field)}: <del>{shown(from)}</del> <ins>{shown(to)}</ins>
          </li>
        ))}
      </ul>
    );
  const says = more(kind, details);
  return says ? <p className={classes.quiet}>{says}</p> : null;
}

function more(kind: CampaignFact['kind'], details: CampaignFact['details']): string | null {
  const { reason, from, to, review_policy, review_sample, sequence_revision } = details;
  if (kind === 'paused') return isIn(PAUSED, reason) ? PAUSED[reason] : null;
  if (kind === 'review_policy' && isIn(REVIEW, review_policy)) {
    const sample = review_policy === 'sample' && typeof review_sample === 'number';
    const before = isIn(REVIEW, from) ? `, previously ${REVIEW[from].title.toLowerCase()}` : '';
    return `${REVIEW[review_policy].title}${sample ? `, ${review_sample}%` : ''}${before}`;
  }
  if (kind === 'pool' && Array.isArray(from) && Array.isArray(to))
    return `${many(to.length, 'identity', 'identities')}, previously ${from.length}`;
  return typeof sequence_revision === 'number' ? `Steps, revision ${sequence_revision}` : null;
}

const isIn = <K extends string>(words: Record<K, unknown>, key: unknown): key is K =>
  typeof key === 'string' && key in words;

const WORDS: Record<string, string> = {
  postal_address_id: 'Postal address',
  starts_on: 'First day',
  ends_on: 'Last day',
  new_per_day: 'New people per day',
  daily_cap: 'Letters per day',
  goal: 'Goal',
};

const inWords = (field: string): string =>
  WORDS[field] ?? (field.charAt(0).toUpperCase() + field.slice(1)).replaceAll('_', ' ');

/** What has many parts is shown without its marks. */
function shown(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return value;
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
    ? value.join(', ') || 'none'
    : JSON.stringify(value)
        .replaceAll(/["{}[\]]/g, '')
        .replaceAll(',', ', ')
        .replaceAll(':', ' ') || 'none';
}
