// Why a domain's letters were not taken in the last seven days: each reason once, with how many letters and the server's own words.
import { Link } from '@tanstack/react-router';
import { useRead } from '../../../../ui/client/hooks.ts';
import { many } from '../../../../ui/kit/numbers.ts';
import { ServerWords } from '../../../../ui/kit/server-words.tsx';
import { Bones, Trouble } from '../../../../ui/kit/states.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import { whyReported } from '../../../../ui/kit/causes.ts';
import type { Domain } from '../contract.ts';
import classes from './domains.module.css';

export function Reasons({ domain }: { domain: Domain }) {
  const read = useRead('domain_evidence', { domain: domain.id, limit: 1 });
  if (read.error) return <Trouble error={read.error} again={() => void read.refetch()} />;
  if (!read.data) return <Bones lines={2} />;
  const { reasons } = read.data;
  if (reasons.length === 0)
    return (
      <p className={classes.quiet}>No bounces, refusals or complaints among the letters you can view.</p>
    );
  return (
    <ol className={classes.list}>
      {reasons.map((reason) => (
        <li key={`${reason.kind} ${reason.status} ${reason.cause}`} className={classes.pause}>
          <p>
            <strong>{whyReported(reason)}</strong>
            {reason.status && <> · {reason.status}</>}
          </p>
          <p className={classes.quiet}>
            {many(reason.letters, 'letter')}, last <Time at={reason.last_at} />
            {reason.send_id && (
              <>
                {' · '}
                <Link to="/sends/$send" params={{ send: reason.send_id }}>
                  Latest letter
                </Link>
              </>
            )}
          </p>
          {reason.said && <ServerWords said={reason.said} />}
        </li>
      ))}
    </ol>
  );
}
