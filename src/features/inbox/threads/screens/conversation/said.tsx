// Plain text with links. A link shows exactly where it leads and sends no referrer.
import { Fragment } from 'react';
import classes from './touch.module.css';

const PAGE = /(https?:\/\/[^\s<>"'()[\]{}]+[^\s<>"'()[\]{}.,;:!?])/;

export function Said({ text }: { text: string }) {
  if (text.trim() === '') return <p className={classes.empty}>No text</p>;
  return (
    <div className={classes.said} dir="auto">
      {text.split(PAGE).map((piece, at) =>
        at % 2 === 1 ? (
          <a key={at} href={piece} target="_blank" rel="noopener noreferrer nofollow">
            {piece}
          </a>
        ) : (
          <Fragment key={at}>{piece}</Fragment>
        ),
      )}
    </div>
  );
}
