// Why nothing leaves by an identity: what is wrong, what fixes it, and the mail server's own words, set apart as a quote.
import { ServerWords } from '../../../../ui/kit/server-words.tsx';
import { Time } from '../../../../ui/kit/time.tsx';
import type { Identity } from '../contract.ts';
import classes from './identities.module.css';

export function InTrouble({ trouble }: { trouble: NonNullable<Identity['trouble']> }) {
  const { says, fix, since, words, code, enhanced, expired_at } = trouble;
  const numbers = [code, enhanced].filter((each) => each !== null).join(' ');
  return (
    <div className={classes.notice} role="alert">
      <p>
        <strong>{says}</strong> Letters are held. First seen: <Time at={since} />
      </p>
      {expired_at && (
        <p>
          Expired: <Time at={expired_at} />
        </p>
      )}
      <p>{fix}</p>
      {(words || numbers) && <ServerWords said={words ?? numbers} />}
    </div>
  );
}
