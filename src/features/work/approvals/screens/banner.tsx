// On an item that waits for a decision: that it does, since when and why, and the decision itself.
import { Stamp } from 'lucide-react';
import { useRead } from '../../../../ui/client/hooks.ts';
import { Time } from '../../../../ui/kit/time.tsx';
import { Decide } from './decide.tsx';
import { whyHere } from './why.ts';
import classes from './earlier.module.css';

export function ReviewBanner({ approval_id, keys }: { approval_id: string; keys: boolean }) {
  const approval = useRead('approval_get', { approval: approval_id }).data?.approval;
  if (!approval) return null;
  return (
    <section className={classes.banner} aria-label="Review">
      <h2>
        <Stamp size={15} aria-hidden />
        <span>
          Waiting for approval. Requested <Time at={approval.created_at} />
        </span>
      </h2>
      <p>{whyHere(approval)}</p>
      <Decide approval={approval} ready keys={keys} />
    </section>
  );
}
