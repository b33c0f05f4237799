// What an activation lets out, as the person who activates it reads it: who sends, and each letter of the steps whole.
import type { Answer } from '../../../../ui/client/call.ts';
import classes from './preflight.module.css';

type Shown = Pick<Answer<'campaign_preflight'>, 'letters' | 'senders'>;

export function Leaves({ letters, senders }: Shown) {
  if (letters.length === 0) return null;
  return (
    <section>
      <h3 className={classes.title}>Letters of this campaign</h3>
      {senders.length > 0 && (
        <p className={classes.says}>
          From {senders.map(({ name, address }) => `${name} <${address}>`).join(', ')}
        </p>
      )}
      <ul className={classes.letters}>
        {letters.map(({ position, subject, text }) => (
          <li key={position}>
            <details>
              <summary>
                Step {position + 1}: {subject || 'Follow-up in the same thread'}
              </summary>
              <p className={classes.text}>{text}</p>
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}
