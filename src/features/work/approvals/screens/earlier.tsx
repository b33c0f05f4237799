// What was decided about an item before: approved, returned or rejected, by whom and when. The notes are among its comments.
import { usePages } from '../../../../ui/client/hooks.ts';
import { Pill } from '../../../../ui/kit/pills.tsx';
import { Principal } from '../../../../ui/kit/principal.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { Approval } from '../contract.ts';
import { STATES } from './queue.tsx';
import classes from './earlier.module.css';

/** All reviews of an item, newest first. */
export const useReviews = (subject: string, enabled = true) =>
  usePages('approval_list', { subject, state: 'any', limit: 100 }, { enabled });

const decided = ({ state }: Approval): boolean =>
  state === 'approved' || state === 'returned' || state === 'rejected';

/** `but` are those that are shown already. */
export function EarlierDecisions({ subject, but = [] }: { subject: string; but?: string[] }) {
  const earlier = useReviews(subject).rows.filter((one) => decided(one) && !but.includes(one.id));
  if (earlier.length === 0) return null;
  return (
    <section className={classes.earlier} aria-label="Earlier decisions">
      <h3>Earlier decisions</h3>
      <ol>
        {earlier.map((one) => (
          <li key={one.id}>
            <Pill tone={STATES[one.state].tone}>{STATES[one.state].word}</Pill>
            {one.decided_by && <Principal of={one.decided_by} size={18} />}
            {one.decided_at && (
              <span className={classes.at}>
                <Time at={one.decided_at} />
              </span>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
