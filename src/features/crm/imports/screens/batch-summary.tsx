// Above the rows of a batch: how far it is, what it came to, what is not as planned, and what a rollback left.
import { Progress } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { CircleAlert, Lock } from 'lucide-react';
import type { Answer } from '../../../../ui/client/call.ts';
import { Principal } from '../../../../ui/kit/principal.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import { BASIS, type Basis } from '../../people/screens/shared.ts';
import type { Batch } from '../contract.ts';
import { Metrics } from './metrics.tsx';
import { whyNotRolledBack } from './rollback.ts';
import { bytes, count, ON_DUPLICATE_SAYS, type OnDuplicate, people, rows, sentence } from './words.ts';
import classes from './imports.module.css';

export type TakenBack = Answer<'import_rollback'>;

type SummaryProps = {
  batch: Batch;
  taken: TakenBack | null;
  /** What people are called, as far as it is known. */
  names: ReadonlyMap<string, string>;
  showDiffering: () => void;
};

export function BatchSummary({ batch, taken, names, showDiffering }: SummaryProps) {
  const { state, rolled_back, differs } = batch;
  return (
    <div className={classes.summary}>
      {state === 'writing' && <Writing batch={batch} />}
      {rolled_back && <RolledBack of={rolled_back} kept={taken?.kept ?? []} names={names} />}
      {rolled_back && <p className={classes.how}>Before the rollback:</p>}
      <Metrics
        label={rolled_back ? 'Import result before the rollback' : 'Import result'}
        of={[
          { title: 'Created', n: batch.created, ...(rolled_back ? {} : { tone: 'good' }) },
          { title: 'Updated', n: batch.updated, ...(rolled_back ? {} : { tone: 'info' }) },
          { title: 'Skipped', n: batch.skipped },
          { title: 'Rejected', n: batch.rejected, tone: 'bad' },
          ...(differs > 0 ? [{ title: 'Not as planned', n: differs, tone: 'warn' as const }] : []),
        ]}
      />
      {differs > 0 && state !== 'writing' && (
        <p className={classes.notice} data-tone="warn">
          <CircleAlert size={15} aria-hidden />
          <span>
            {rows(differs)} differ from the plan because records changed before the import ran.{' '}
            <button type="button" className={classes.link} onClick={showDiffering}>
              Show {differs === 1 ? 'it' : 'them'}
            </button>
          </span>
        </p>
      )}
      {state === 'locked' && (
        <p className={classes.notice}>
          <Lock size={15} aria-hidden />
          <span>{whyNotRolledBack(batch)}</span>
        </p>
      )}
      <How batch={batch} />
    </div>
  );
}

const Writing = ({ batch: { rows: all, done_rows } }: { batch: Batch }) => (
  <div className={classes.writing}>
    <p>
      <strong role="status">Writing</strong> {count(done_rows)} of {rows(all)}. You can leave this page; the
      import continues and appears under Imports.
    </p>
    <Progress value={(done_rows / Math.max(all, 1)) * 100} aria-label="Rows written" />
  </div>
);

type RolledBackProps = Pick<SummaryProps, 'names'> & {
  of: NonNullable<Batch['rolled_back']>;
  kept: TakenBack['kept'];
};

const RolledBack = ({ of: { by, at, removed, restored, kept: inAll }, kept, names }: RolledBackProps) => (
  <section className={classes.group} aria-label="Rolled back">
    <p role="status">
      Rolled back by {by.name} <Time at={at} />.
    </p>
    <Metrics
      label="Rollback result"
      of={[
        { title: 'Removed', n: removed },
        { title: 'Restored', n: restored },
        { title: 'Kept', n: inAll, tone: 'warn' },
      ]}
    />
    {inAll > 0 && kept.length === 0 && (
      <p>{people(inAll)} changed since the import and were kept. The rows below show why.</p>
    )}
    {kept.length > 0 && (
      <>
        <h2>Kept people</h2>
        <ul className={classes.rows} data-tone="warn">
          {kept.map(({ person_id, why }) => (
            <li key={person_id}>
              <Link to="/people/$person" params={{ person: person_id }} search={{}}>
                <bdi>{names.get(person_id) ?? 'View person'}</bdi>
              </Link>
              <span className={classes.why}>{sentence(why)}</span>
            </li>
          ))}
        </ul>
        {inAll > kept.length && (
          <p>
            Showing the first {count(kept.length)} of {count(inAll)}.
          </p>
        )}
      </>
    )}
  </section>
);

function How({ batch: { created_by, created_at, size, options } }: { batch: Batch }) {
  const { source, basis, tags, on_duplicate } = options as {
    source?: string | null;
    basis?: Basis | null;
    tags?: string[];
    on_duplicate?: OnDuplicate;
  };
  const said = [
    on_duplicate && ON_DUPLICATE_SAYS[on_duplicate].past,
    source && `source “${source}”`,
    basis && `basis: ${BASIS[basis].toLowerCase()}`,
    tags && tags.length > 0 && `tags: ${tags.join(', ')}`,
  ].filter(Boolean);
  return (
    <p className={classes.how}>
      <Principal of={created_by} behalf={created_by.on_behalf_of ?? null} size={18} />
      <span>
        <Time at={created_at} />, {bytes(size)}. {said.join('; ')}.
      </span>
    </p>
  );
}
