// The letters of a campaign compared step by step: how many were sent, and what they led to.
import { useRead } from '../../../../../ui/client/hooks.ts';
import { counted } from '../../../../../ui/kit/numbers.ts';
import type { Campaign } from '../../contract.ts';
import { share } from '../words.ts';
import classes from '../overview.module.css';

const COLUMNS = ['Sent', 'Replied', 'Reply rate', 'Positive', 'Bounced', 'Unsubscribed'];

export function ByStep({ campaign }: { campaign: Campaign }) {
  const { data } = useRead('sequence_digest', { campaign: campaign.id }, { stale_ms: 60_000 });
  const steps = data && Array.isArray(data.steps) ? data.steps : [];
  const letters = steps.filter(({ kind }) => kind === 'letter');
  if (!letters.some(({ sent }) => sent > 0)) return null;
  return (
    <section aria-labelledby="by-step" className={classes.card}>
      <h2 id="by-step">Letters by step</h2>
      <p className={classes.quiet}>Each reply is credited to the last letter sent before it.</p>
      <div className={classes.scroll} tabIndex={0} role="group" aria-label="Letters by step, table">
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Step</th>
              {COLUMNS.map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {letters.map(({ step_id, step, subject, sent, replied, reply_rate, ...more }) => (
              <tr key={step_id}>
                <th scope="row">
                  {step + 1}. {subject || 'Follow-up in the same thread'}
                </th>
                <td>{counted(sent)}</td>
                <td>{counted(replied)}</td>
                <td>{share(reply_rate)}</td>
                <td>{counted(more.positive)}</td>
                <td>{counted(more.bounced)}</td>
                <td>{counted(more.unsubscribed)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
