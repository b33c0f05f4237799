// Link to the settings page that a sentence names.
import { Link } from '@tanstack/react-router';
import { useMe } from '../../../../ui/client/session.ts';
import { placeNamed } from '../turn/live.rules.ts';
import classes from './chat.module.css';

/** For those who may; to others the sentence says whom to ask. */
export function NextStep({ sentence }: { sentence: string }) {
  const { admin } = useMe();
  const place = placeNamed(sentence);
  if (!place || !admin) return null;
  return (
    <>
      {' '}
      <Link to={place.to} className={classes.link}>
        Open {place.title}
      </Link>
    </>
  );
}
