// Settings › Instance › Health: background jobs, queues and the database, refreshed automatically.
import type { ReactNode } from 'react';
import { useRead } from '../../../../ui/client/hooks.ts';
import { Facts } from '../../../../ui/kit/detail-drawer.tsx';
import { counted } from '../../../../ui/kit/numbers.ts';
import { Section } from '../../../../ui/kit/page.tsx';
import { Pill, type Tone } from '../../../../ui/kit/pills.tsx';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { Health, PassHealth } from '../contract.ts';
import { advice, STATE_WORDS, type PassState } from '../rules.ts';
import classes from './health.module.css';

const EVERY_MS = 15_000;

const TONES: Record<PassState, Tone> = { well: 'good', failing: 'bad', late: 'warn', never_ran: 'mute' };

const QUEUES: Record<Health['queues'][number]['name'], string> = {
  letters: 'Letters due',
  events: 'Events due',
  inbound_mail: 'Email to read',
};

export function HealthSection() {
  const { data, error, refetch } = useRead('health_get', {}, { every_ms: EVERY_MS });
  return (
    <Section title="Health" says="Background jobs, queues and the database.">
      {error ? (
        <Trouble error={error} again={() => void refetch()} />
      ) : data ? (
        <Found {...data} />
      ) : (
        <Bones lines={8} height={16} />
      )}
    </Section>
  );
}

function Found({ passes, queues, database, letters_kept_back }: Health) {
  const says = advice(passes);
  return (
    <div className={classes.health}>
      {letters_kept_back && (
        <p className={classes.notice} role="note">
          <strong>Letters are held.</strong> This instance was restored from a backup of{' '}
          <Time at={letters_kept_back.taken_at} />. Check the letters that are due, then ask the operator to
          run <code>dunnock release-letters</code> and restart.
        </p>
      )}
      {says && (
        <p className={classes.notice} role="note">
          {says}
        </p>
      )}
      <Facts
        of={[
          ...queues.map(({ name, due, oldest_at }): [string, ReactNode] => [
            QUEUES[name],
            due === 0 ? (
              'None'
            ) : (
              <span key={name}>
                {counted(due)}, oldest from <Time at={oldest_at} />
              </span>
            ),
          ]),
          [
            'Database',
            `PostgreSQL ${database.major}, ${sized(database.bytes)}, ${database.connections_used} of ${database.connections_most} connections`,
          ],
        ]}
      />
      <div className={classes.scroll} tabIndex={0} role="region" aria-label="Background jobs">
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Job</th>
              <th scope="col">State</th>
              <th scope="col">Last run</th>
              <th scope="col">Interval</th>
              <th scope="col" className={classes.number}>
                Rows processed
              </th>
              <th scope="col" className={classes.number}>
                Errors
              </th>
            </tr>
          </thead>
          <tbody>
            {passes.map((pass) => (
              <Row key={pass.name} {...pass} />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

const Row = ({ name, state, ran_at, every_s, claimed, faults, fault, fault_at }: PassHealth) => (
  <tr>
    <th scope="row">{name.replaceAll('_', ' ')}</th>
    <td>
      <Pill tone={TONES[state]}>{STATE_WORDS[state]}</Pill>
    </td>
    <td>
      <Time at={ran_at} />
    </td>
    <td>{spell(every_s)}</td>
    <td className={classes.number}>{counted(claimed)}</td>
    <td className={classes.number}>
      {faults === 0 ? (
        '0'
      ) : (
        <span>
          {counted(faults)}, {fault} <Time at={fault_at} />
        </span>
      )}
    </td>
  </tr>
);

const spell = (seconds: number): string =>
  seconds < 60
    ? `${seconds} s`
    : seconds < 3600
      ? `${Math.round(seconds / 60)} min`
      : `${Math.round(seconds / 3600)} h`;

const sized = (bytes: number): string =>
  bytes < 1024 ** 3 ? `${Math.round(bytes / 1024 ** 2)} MB` : `${(bytes / 1024 ** 3).toFixed(1)} GB`;
