// The pauses of a domain, newest first, with the numbers that the warden paused on.
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { usePages } from '../../../../ui/client/hooks.ts';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { Domain, Evidence } from '../contract.ts';
import { inWords, percent } from './words.ts';
import classes from './domains.module.css';

export function Pauses({ domain }: { domain: Domain }) {
  const pages = usePages('domain_evidence', { domain: domain.id });
  if (pages.error) return <Trouble error={pages.error} again={pages.again} />;
  if (pages.pending) return <Bones lines={2} />;
  if (pages.rows.length === 0) return <p className={classes.quiet}>Never paused.</p>;
  return (
    <>
      <ol className={classes.list}>
        {pages.rows.map((pause) => (
          <li key={pause.id} className={classes.pause}>
            <p>
              <strong>{inWords(pause.reason)}</strong>
            </p>
            <p className={classes.quiet}>
              Paused by {pause.by_name} <Time at={pause.at} />
              {pause.resumed_by && (
                <>
                  {' · '}Resumed by {pause.resumed_by.name} <Time at={pause.resumed_at} />
                </>
              )}
            </p>
            {pause.evidence && <Rested evidence={pause.evidence} />}
          </li>
        ))}
      </ol>
      {pages.more && (
        <Button variant="subtle" color="gray" onClick={pages.more}>
          Show earlier
        </Button>
      )}
    </>
  );
}

function Rested({ evidence: { count, sent, rate, threshold, samples } }: { evidence: Evidence }) {
  const share = rate === null ? '' : ` (${percent(rate)})`;
  const limit = threshold === null ? '' : `; limit: ${rate === null ? threshold : percent(threshold)}`;
  return (
    <p className={classes.quiet}>
      {count} of {sent} letters{share}
      {limit}.
      {samples.length > 0 && (
        <>
          {' '}
          Examples:{' '}
          {samples.map((send, at) => (
            <span key={send}>
              {at > 0 && ', '}
              <Link to="/sends/$send" params={{ send }}>
                letter {at + 1}
              </Link>
            </span>
          ))}{' '}
        </>
      )}
    </p>
  );
}
