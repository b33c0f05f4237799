// How much is taken of another party's server, said where one is added and where one is looked at.
import { ANSWER_CHARS, MOST_TOOLS } from '../limits.rules.ts';
import { counted } from '../../../../ui/kit/numbers.ts';
import classes from './capabilities.module.css';

export const Limits = () => (
  <p className={classes.limits}>
    Of an answer {counted(ANSWER_CHARS)} characters are read; a server with more than {MOST_TOOLS} tools is
    not listed. Its address is checked at every call.
  </p>
);
