// Note on the limits for responses and tools of a server.
import { ANSWER_CHARS, MOST_TOOLS } from '../limits.rules.ts';
import { counted } from '../../../../ui/kit/numbers.ts';
import classes from './capabilities.module.css';

export const Limits = () => (
  <p className={classes.limits}>
    Responses are limited to {counted(ANSWER_CHARS)} characters, and servers to {MOST_TOOLS} tools. The
    address is checked at every call.
  </p>
);
