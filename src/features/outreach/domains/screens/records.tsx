// The records to publish, each ready to copy and with whether the last check found it; and the check, which can be asked now.
import { Button } from '@mantine/core';
import { RefreshCw } from 'lucide-react';
import { useAct, useRead } from '../../../../ui/client/hooks.ts';
import { CodeBlock } from '../../../../ui/kit/code-block.tsx';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { Domain } from '../contract.ts';
import { EmailRecords } from './email-records.tsx';
import { BOUNCE_ADDRESS, CHECK, CHECKS, failure, MX_UNKNOWN, OUTCOME } from './words.ts';
import classes from './domains.module.css';

const TEN_YEARS_MS = 10 * 365 * 86_400_000;

/** What no one publishes is put off past any life. */
const never = ({ checked_at: at, next_check_at: next }: Domain): boolean =>
  at !== null && Date.parse(next) - Date.parse(at) > TEN_YEARS_MS;

export function Records({ domain }: { domain: Domain }) {
  const read = useRead('domain_records', { domain: domain.id });
  const check = useAct('domain_check', {
    says: ({ domain: after }) =>
      after.state === 'active' && domain.state !== 'active'
        ? `${after.name} verified and active`
        : 'Check complete',
  });
  if (read.error) return <Trouble error={read.error} again={() => void read.refetch()} />;
  return (
    <div className={classes.records}>
      <Checks domain={domain} busy={check.isPending} />
      {domain.state !== 'retired' && (
        <div className={classes.acts}>
          <Button
            variant={domain.state === 'unverified' ? 'filled' : 'default'}
            leftSection={<RefreshCw size={14} />}
            loading={check.isPending}
            onClick={() => check.mutate({ domain: domain.id })}
          >
            Check now
          </Button>
          {read.data && <EmailRecords domain={domain.name} records={read.data.records} />}
          <span className={classes.quiet} role="status">
            {check.isPending ? (
              'Checking DNS…'
            ) : (
              <>
                Last checked: <Time at={domain.checked_at} none="never" />
                {domain.checked_at &&
                  (never(domain) ? (
                    ' Sample data isn’t checked automatically.'
                  ) : (
                    <>
                      {' · '}Next check: <Time at={domain.next_check_at} />
                    </>
                  ))}
              </>
            )}
          </span>
        </div>
      )}
      {read.data ? (
        <ol className={classes.list}>
          {read.data.records.map((record) => (
            <li key={`${record.type} ${record.name}`} className={classes.record}>
              <p>
                <strong>{record.type}</strong>
                <Pill tone={OUTCOME[record.present].tone}>
                  {record.present === 'passing'
                    ? 'Published'
                    : record.present === 'failing'
                      ? 'Missing or different'
                      : 'Not checked yet'}
                </Pill>
                <span className={classes.quiet}>{record.why}</span>
              </p>
              <CodeBlock text={record.name} label={`Name of the ${record.type} record ${record.name}`} wrap />
              <CodeBlock
                text={record.value}
                label={`Value of the ${record.type} record ${record.name}`}
                wrap
              />
            </li>
          ))}
        </ol>
      ) : (
        <Bones lines={6} />
      )}
      {domain.state !== 'retired' && <p className={classes.quiet}>{BOUNCE_ADDRESS(domain.name)}</p>}
    </div>
  );
}

function Failure({ found }: { found: NonNullable<Domain['auth'][keyof Domain['auth']]> }) {
  const { says, label, code } = failure(found);
  return (
    <p className={classes.found}>
      {says}{' '}
      {label && (
        <>
          {label}: <code>{code}</code>
        </>
      )}
    </p>
  );
}

function Checks({ domain, busy }: { domain: Domain; busy: boolean }) {
  return (
    <ul className={classes.checks} aria-label="Checks" aria-busy={busy}>
      {CHECKS.map((name) => {
        const found = domain.auth[name];
        const outcome = found?.outcome ?? 'unknown';
        return (
          <li key={name}>
            <strong>{CHECK[name].title}</strong>
            <span className={classes.quiet}>{CHECK[name].says}</span>
            <Pill tone={busy ? 'mute' : OUTCOME[outcome].tone}>
              {busy ? 'Checking…' : found ? OUTCOME[outcome].title : 'Not checked'}
            </Pill>
            {found && outcome === 'failing' && <Failure found={found} />}
            {name === 'mx' && outcome === 'failing' && domain.mx_host === null && (
              <p className={classes.found}>{MX_UNKNOWN}</p>
            )}
          </li>
        );
      })}
    </ul>
  );
}
