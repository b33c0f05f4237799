// How much is taken of another party's server, said where one is added and where one is looked at.
import { ANSWER_CHARS, CONVERSATION_MS, MOST_TOOLS } from '../limits.rules.ts';
import classes from './capabilities.module.css';

export const Limits = () => (
  <p className={classes.limits}>
    A call is waited for {CONVERSATION_MS / 1000} seconds; of an answer {ANSWER_CHARS.toLocaleString('en')}{' '}
    characters are read; a server with more than {MOST_TOOLS} tools is not listed. Its address is checked at
    every call.
  </p>
);
