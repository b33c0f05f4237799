// What happened to the letters of seven days, as bars against the shares at which the warden warns and pauses.
import { many } from '../../../../ui/kit/numbers.ts';
import { Pill } from '../../../../ui/kit/pills.tsx';
import type { Domain } from '../contract.ts';
import { percent, ratesOf, type Rate } from './words.ts';
import classes from './domains.module.css';

export function Health({ domain }: { domain: Domain }) {
  const { sent } = domain.rates;
  if (sent === 0)
    return <p className={classes.quiet}>No letters sent from this domain in the last 7 days.</p>;
  return (
    <div>
      <p className={classes.quiet}>
        {many(sent, 'letter')} sent. The warden acts on rates only when enough letters were sent.
      </p>
      <ul className={classes.bars}>
        {ratesOf(domain).map((rate) => (
          <Bar key={rate.name} rate={rate} />
        ))}
      </ul>
    </div>
  );
}

/** The pausing share is at four fifths of the bar, so that what is beyond it still shows. */
const AT = 0.8;

function Bar({ rate: { name, count, value, share, warns, pauses } }: { rate: Rate }) {
  const said = (limit: number): string => (share ? percent(limit) : String(limit));
  const place = (part: number): string => `${Math.min((part / pauses) * AT, 1) * 100}%`;
  const tone = value >= pauses ? 'bad' : value >= warns ? 'warn' : 'good';
  const word = tone === 'bad' ? 'Over limit' : tone === 'warn' ? 'Warning' : 'OK';
  return (
    <li>
      <p>
        <span>{name}</span>
        <span>
          {said(value)} {share && <span className={classes.quiet}>({count})</span>}
        </span>
        <Pill tone={tone}>{word}</Pill>
      </p>
      <div className={classes.bar} aria-hidden>
        <span className={classes.fill} data-tone={tone} style={{ width: place(value) }} />
        <span className={classes.mark} style={{ left: place(warns) }} />
        <span className={classes.mark} style={{ left: place(pauses) }} data-pauses />
      </div>
      <p className={classes.quiet}>
        Warning at {said(warns)}, pause at {said(pauses)}
      </p>
    </li>
  );
}
