// A few letters in lines: to whom, about what, since when.
import { Link } from '@tanstack/react-router';
import { Time } from '../../../../ui/kit/time.tsx';
import { whyReported } from '../../../../ui/kit/causes.ts';
import type { Send } from '../../sends/contract.ts';
import classes from './overview.module.css';

const SHOWN = 8;

export const Letters = ({ letters }: { letters: Send[] }) => (
  <ul className={classes.letters}>
    {letters
      .slice(0, SHOWN)
      .map(({ id, person_id, person_name, to, subject, updated_at, hold, delivery_report }) => (
        <li key={id}>
          {person_id ? (
            <Link to="/people/$person" params={{ person: person_id }} search={{}}>
              {person_name ?? to}
            </Link>
          ) : (
            <span>{to}</span>
          )}
          <span>{delivery_report ? whyReported(delivery_report) : subject}</span>
          <Time at={hold?.since ?? updated_at} />
        </li>
      ))}
    {letters.length > SHOWN && <li>and {letters.length - SHOWN} more</li>}
  </ul>
);
