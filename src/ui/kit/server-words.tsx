// What a mail server wrote, shown as the text that it is: in a frame of its own, apart from our sentences.
import classes from './server-words.module.css';

export const ServerWords = ({ said, who = 'The server said' }: { said: string; who?: string }) => (
  <figure className={classes.said}>
    <figcaption>{who}</figcaption>
    <blockquote dir="auto">{said}</blockquote>
  </figure>
);
